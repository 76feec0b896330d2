package io.lazuli.server.admin;

import io.lazuli.server.tls.PinnedCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Gives commands to the server that runs on a data folder. The file {@code admin-token} in the
 * folder has its address and the secret.
 */
public final class AdminClient {
  private static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(10);
  private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(2);

  private final AdminToken.Written token;
  private final HttpClient http;

  private AdminClient(AdminToken.Written token) {
    this.token = token;
    this.http = client(token);
  }

  private static HttpClient client(AdminToken.Written token) {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIME_MAX);
    if (!token.certificate().isEmpty()) {
      builder.sslContext(PinnedCertificate.trusting(token.certificate()));
    }
    return builder.build();
  }

  /**
   * Finds the server of a data folder.
   *
   * @throws RefusedCommandException if no server runs on the folder, or its token cannot be read
   */
  public static AdminClient of(Path folder) {
    try {
      AdminToken.Written token = AdminToken.read(folder);
      if (token == null) {
        throw new RefusedCommandException(
            "no server runs on the data folder " + folder + "; --data names another one");
      }
      return new AdminClient(token);
    } catch (IOException e) {
      throw new RefusedCommandException("cannot read the token of the server: " + e);
    }
  }

  /**
   * Runs a command and returns its answer. Blocks until the server has answered.
   *
   * @throws RefusedCommandException if the server refuses the command or does not answer; the
   *     message is for the operator
   */
  public Map<String, String> call(String command, Map<String, String> arguments)
      throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(token.admin() + "/commands/" + command))
            .timeout(ANSWER_TIME_MAX)
            .header("Authorization", token.authorization())
            .POST(BodyPublishers.ofByteArray(CommandJson.write(arguments)))
            .build();
    try {
      HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
      return switch (answer.statusCode()) {
        case 200 -> CommandJson.parse(answer.body());
        case 400, 409 -> throw new RefusedCommandException(reason(answer));
        case 404 ->
            throw new RefusedCommandException(
                "the server at " + token.admin() + " does not have the command " + command);
        case 413 ->
            throw new RefusedCommandException("the command has more text than a server accepts");
        default ->
            throw new RefusedCommandException(
                "the server at " + token.admin() + " answered " + answer.statusCode());
      };
    } catch (IOException e) {
      throw new RefusedCommandException("no server answers at " + token.admin());
    }
  }

  private static String reason(HttpResponse<byte[]> answer) {
    try {
      return CommandJson.parse(answer.body())
          .getOrDefault("error", "the server refused the command");
    } catch (IllegalArgumentException e) {
      return new String(answer.body(), StandardCharsets.UTF_8);
    }
  }
}
