package io.lazuli.transfer.cli;

import io.lazuli.transfer.http.Endpoint;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.StorageKind;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Progress;
import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** The options that all commands have: the account, and how progress is shown. */
final class ConnectionOptions {
  private static final String VARIABLE = "AZURE_STORAGE_CONNECTION_STRING";

  @Option(
      names = "--connection-string",
      paramLabel = "TEXT",
      description =
          "The account, on any server. Default: the variable "
              + VARIABLE
              + ", or UseDevelopmentStorage=true, which is lazuli serve without options.")
  private @Nullable String connectionString;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Instead of a connection string: the URL of the service, with its SAS.")
  private @Nullable String url;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "4",
      description = "The number of requests at the same time. Default: ${DEFAULT-VALUE}")
  private int parallel;

  @Option(names = "--json", description = "Print progress and result as JSON, one object a line.")
  private boolean json;

  @Option(names = "--quiet", description = "Print only the result.")
  private boolean quiet;

  StorageClient client(StorageKind kind, Map<String, String> environment) {
    if (connectionString != null && url != null) {
      throw new TransferException("use --connection-string or --url, not both");
    }
    return new StorageClient(
        url == null
            ? Endpoint.ofConnectionString(connectionString(environment), kind)
            : Endpoint.ofUrl(url, kind));
  }

  private String connectionString(Map<String, String> environment) {
    return connectionString == null
        ? environment.getOrDefault(VARIABLE, "UseDevelopmentStorage=true")
        : connectionString;
  }

  int parallel() {
    if (parallel < 1 || parallel > 64) {
      throw new TransferException("--parallel is between 1 and 64");
    }
    return parallel;
  }

  Progress progress(String noun, PrintWriter out) {
    return new Progress(style(), out, noun);
  }

  private Progress.Style style() {
    if (json) {
      return Progress.Style.JSON;
    }
    if (quiet) {
      return Progress.Style.NONE;
    }
    return Ansi.AUTO.enabled() ? Progress.Style.TERMINAL : Progress.Style.LINES;
  }
}
