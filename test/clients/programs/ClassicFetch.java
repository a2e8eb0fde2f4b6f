import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.URI;
import javax.net.ssl.HttpsURLConnection;

/** Fetches a URL with HttpsURLConnection and prints the body. */
class ClassicFetch {
    public static void main(String[] args) throws Exception {
        Authenticator.setDefault(new ProxyUser());
        var connection = (HttpsURLConnection) URI.create(args[0]).toURL().openConnection();
        var granted = connection.getResponseCode() == 200;
        var body = granted ? connection.getInputStream() : connection.getErrorStream();
        System.out.println(new String(body.readAllBytes()));
        System.exit(granted ? 0 : 1);
    }

    /** Java reads no user from a proxy variable: the program has to. */
    static class ProxyUser extends Authenticator {
        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            var user = URI.create(System.getenv("HTTPS_PROXY")).getUserInfo().split(":", 2);
            return new PasswordAuthentication(user[0], user[1].toCharArray());
        }
    }
}
