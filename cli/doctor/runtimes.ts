import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One program whose trust is tried. */
export interface Runtime {
  /** The program that has to be on PATH. */
  readonly program: string
  /** Writes the files that its probe needs. */
  readonly prepare?: (folder: string, url: string) => Promise<void>
  readonly probe: (url: string) => {
    readonly line: string
    /** What a good answer holds. */
    readonly expects: string
    readonly repair: string
  }
  /** An error text that says the program cannot be tried here, rather than that it distrusts. */
  readonly missing?: RegExp
}

const VARIABLES = 'run it by narrowgate run, or set what narrowgate env prints'

/** The JDK sends Basic credentials only where an Authenticator gives them. */
const JAVA_PROBE = `import java.net.*;
public class Probe {
  public static void main(String[] args) throws Exception {
    String[] user = URI.create(System.getenv("HTTPS_PROXY")).getUserInfo().split(":", 2);
    Authenticator.setDefault(new Authenticator() {
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication(user[0], user[1].toCharArray());
      }
    });
    System.out.write(new URL(args[0]).openStream().readAllBytes());
    System.out.flush();
  }
}
`

function cargoManifest(url: string): Readonly<Record<string, string>> {
  return {
    'Cargo.toml':
      '[package]\nname = "probe"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ndoctor-probe = { version = "1", registry = "lab" }\n',
    '.cargo/config.toml': `[registries.lab]\nindex = "sparse+${url}/index/"\n`,
    'src/lib.rs': '',
  }
}

async function prepareCargo(folder: string, url: string): Promise<void> {
  const home = join(folder, 'cargo-probe')
  await mkdir(join(home, 'src'), { recursive: true })
  await mkdir(join(home, '.cargo'), { recursive: true })
  for (const [name, text] of Object.entries(cargoManifest(url))) {
    await writeFile(join(home, name), text)
  }
}

/** Programs in which agents are written or which they call. */
export const RUNTIMES: readonly Runtime[] = [
  {
    program: 'curl',
    probe: (url) => ({ line: `curl -fsS ${url}/ping`, expects: 'pong', repair: VARIABLES }),
  },
  {
    program: 'wget',
    probe: (url) => ({
      line: `wget -q -O - --ca-certificate="$SSL_CERT_FILE" ${url}/ping`,
      expects: 'pong',
      repair:
        'wget reads no variable for its CA: narrowgate ca install, or --ca-certificate="$SSL_CERT_FILE"',
    }),
  },
  {
    program: 'git',
    probe: (url) => ({
      line: `GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git ls-remote ${url}/repo.git && echo done`,
      expects: 'done',
      repair: VARIABLES,
    }),
  },
  {
    program: 'python3',
    probe: (url) => ({
      line: `python3 -c "import urllib.request as u; print(u.urlopen('${url}/ping').read())"`,
      expects: 'pong',
      repair: VARIABLES,
    }),
  },
  {
    program: 'node',
    probe: (url) => ({
      line: `node client.mjs ${url}/ping`,
      expects: 'pong',
      repair: 'set NODE_EXTRA_CA_CERTS as narrowgate env prints it, before Node starts',
    }),
  },
  {
    program: 'java',
    prepare: (folder) => writeFile(join(folder, 'Probe.java'), JAVA_PROBE),
    probe: (url) => ({
      line: `java Probe.java ${url}/ping`,
      expects: 'pong',
      repair:
        'set JAVA_TOOL_OPTIONS as narrowgate env prints it; a JRE without compiler cannot run this probe',
    }),
    missing:
      /jdk\.compiler|error: class found on application class path|Could not find or load main class/,
  },
  {
    program: 'cargo',
    prepare: prepareCargo,
    probe: (url) => ({
      line: `cd cargo-probe && cargo generate-lockfile && grep -q doctor-probe Cargo.lock && echo ${url} done`,
      expects: 'done',
      repair: VARIABLES,
    }),
    missing: /rustup could not choose a version/,
  },
]
