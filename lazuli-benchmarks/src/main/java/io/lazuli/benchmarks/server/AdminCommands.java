package io.lazuli.benchmarks.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives commands to a Lazuli server as {@code lazuli backup} does, without a process of its own:
 * the start of a JVM would disturb what is measured.
 */
public final class AdminCommands {
  private final URI commands;
  private final String authorization;
  private final HttpClient http = HttpClient.newHttpClient();

  private AdminCommands(URI commands, String authorization) {
    this.commands = commands;
    this.authorization = authorization;
  }

  /** Finds the server that runs on a data folder. */
  public static AdminCommands of(Path data) throws IOException {
    List<String> token = Files.readAllLines(data.resolve("admin-token"));
    return new AdminCommands(URI.create(token.get(0) + "/commands/"), "Bearer " + token.get(1));
  }

  /** Runs a command and returns its answer, a JSON object of texts. */
  public String call(String command, String arguments) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(commands.resolve(command))
            .header("Authorization", authorization)
            .POST(BodyPublishers.ofString(arguments))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(command + " was refused: " + answer.body());
      }
      return answer.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
