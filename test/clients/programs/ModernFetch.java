import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Fetches a URL with java.net.http.HttpClient and prints the body. */
class ModernFetch {
    public static void main(String[] args) throws Exception {
        var client = HttpClient.newBuilder()
            .proxy(ProxySelector.getDefault())
            .authenticator(new ProxyUser())
            .build();
        var request = HttpRequest.newBuilder(URI.create(args[0])).build();
        var response = client.send(request, BodyHandlers.ofString());
        System.out.println(response.body());
        System.exit(response.statusCode() == 200 ? 0 : 1);
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
