package io.lazuli.server.cli;

import io.lazuli.server.AdminAddress;
import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.tls.PinnedCertificate;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lazuli partitions}: asks a server how its cluster distributes the partitions. */
@Command(
    name = "partitions",
    description = "Show which node has which partitions, their load, and what the balancer did.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class PartitionsCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Option(
      names = "--admin",
      paramLabel = "URL",
      description = "The admin endpoint of a running server. Default: the configured one")
  private @Nullable String given;

  @Mixin private ServerOptions server = new ServerOptions();

  /** The secret of the data folder, which only the server there gets. */
  private @Nullable String authorization;

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  PartitionsCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
    String admin = given == null ? configured(builder) : given;
    HttpClient client = builder.build();
    try {
      HttpResponse<String> answer =
          client.send(request(admin), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        err.println("lazuli: " + admin + " answered " + answer.statusCode() + " " + answer.body());
        return 1;
      }
      spec.commandLine().getOut().print(answer.body());
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IOException e) {
      err.println("lazuli: no server answers at " + admin);
      return 1;
    }
  }

  /** Returns the configured address; trusts the certificate that its server wrote down. */
  private String configured(HttpClient.Builder client) {
    ServerConfig config = server.read(environment);
    String url = AdminAddress.url(config.listeners(), config.listeners().admin().port());
    try {
      AdminToken.Written token = AdminToken.read(config.store().folder());
      if (token != null && token.admin().equals(url)) {
        authorization = token.authorization();
        if (!token.certificate().isEmpty()) {
          client.sslContext(PinnedCertificate.trusting(token.certificate()));
        }
      }
    } catch (IOException e) {
      // Without the file the certificate must be one that Java trusts.
      return url;
    }
    return url;
  }

  private HttpRequest request(String admin) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(admin.replaceAll("/+$", "") + "/partitions"))
              .timeout(PATIENCE)
              .header("Accept", "text/plain");
      if (authorization != null) {
        request.header("Authorization", authorization);
      }
      return request.build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), admin + " is not a URL");
    }
  }
}
