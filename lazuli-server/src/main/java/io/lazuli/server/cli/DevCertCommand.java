package io.lazuli.server.cli;

import io.lazuli.server.config.DomainName;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli dev-cert}: makes a certificate for localhost or another domain, and prints how to
 * trust it.
 */
@Command(
    name = "dev-cert",
    description = {
      "Make a local certificate authority and a certificate for localhost, 127.0.0.1 and ::1, and for"
          + " the hosts of accounts in a domain.",
      "An existing authority is kept, and the certificate is renewed."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class DevCertCommand implements Callable<Integer> {
  private static final String LOCALHOST = "localhost";

  @Spec private CommandSpec spec;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      defaultValue = "lazuli-certs",
      description = "The folder for the files. Default: ./${DEFAULT-VALUE}")
  private Path folder = Path.of("");

  @Option(
      names = "--domain",
      paramLabel = "DOMAIN",
      defaultValue = LOCALHOST,
      description = {
        "The domain of the server, as in lazuli serve --domain. The certificate is also for",
        "*.blob.DOMAIN, *.queue.DOMAIN and *.table.DOMAIN. Default: ${DEFAULT-VALUE}"
      })
  private String domain = LOCALHOST;

  DevCertCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    String name = DomainName.parse(domain);
    if (name == null) {
      throw new ParameterException(
          spec.commandLine(), "--domain must be a domain name without a port");
    }
    LocalAuthority authority =
        new LocalAuthority(
            folder.toAbsolutePath().normalize(), name, new SecureRandom(), Instant.now());
    try {
      boolean fresh = authority.issue();
      print(authority, fresh, name.equals(LOCALHOST) ? "" : " --one-port 443 --domain " + name);
      return 0;
    } catch (TlsException e) {
      spec.commandLine().getErr().println("lazuli: " + e.getMessage());
      return 1;
    }
  }

  private void print(LocalAuthority authority, boolean fresh, String options) {
    PrintWriter out = spec.commandLine().getOut();
    String ca = authority.certificate().toString();
    out.println((fresh ? "new authority  " : "authority      ") + ca);
    out.println("certificate    " + authority.serverCertificate());
    out.println("key            " + authority.serverKey());
    out.println();
    out.println("Start the server with it:");
    out.printf(
        "  lazuli serve --tls-cert %s --tls-key %s%s%n",
        authority.serverCertificate(), authority.serverKey(), options);
    out.println("Trust the authority in one of these ways:");
    out.printf("  Node         NODE_EXTRA_CA_CERTS=%s%n", ca);
    out.printf("  Python       SSL_CERT_FILE=%s REQUESTS_CA_BUNDLE=%1$s%n", ca);
    out.printf("  .NET, Linux  SSL_CERT_FILE=%s%n", ca);
    out.printf(
        "  Java         keytool -importcert -noprompt -alias lazuli -file %s"
            + " -keystore trust.p12 -storepass changeit%n",
        ca);
    out.println("               java -Djavax.net.ssl.trustStore=trust.p12 …");
    out.printf(
        "  Linux        sudo cp %s /usr/local/share/ca-certificates/lazuli.crt"
            + " && sudo update-ca-certificates%n",
        ca);
    out.printf(
        "  macOS        security add-trusted-cert -r trustRoot"
            + " -k ~/Library/Keychains/login.keychain-db %s%n",
        ca);
    out.printf("  Windows      certutil -user -addstore Root %s%n", ca);
    out.flush();
  }
}
