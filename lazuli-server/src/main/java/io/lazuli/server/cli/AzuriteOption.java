package io.lazuli.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of Azurite 3.37.0 and their effect in Lazuli. {@code lazuli azurite --help} and the
 * table in docs/azurite.md come from this list.
 */
enum AzuriteOption {
  LOCATION("location", 'l', "DIR", "data", "stores the data in DIR/lazuli-data"),
  BLOB_HOST("blobHost", "HOST", "blob-host", "the host on which the blob service listens"),
  QUEUE_HOST("queueHost", "HOST", "queue-host", "the host on which the queue service listens"),
  TABLE_HOST("tableHost", "HOST", "table-host", "the host on which the table service listens"),
  BLOB_PORT("blobPort", "PORT", "blob-port", "0 chooses a free port, which is printed"),
  QUEUE_PORT("queuePort", "PORT", "queue-port", "0 chooses a free port, which is printed"),
  TABLE_PORT("tablePort", "PORT", "table-port", "0 chooses a free port, which is printed"),
  CERT("cert", "FILE", "tls-cert", "uses https with this certificate, PEM or PFX"),
  KEY("key", "FILE", "tls-key", "the key of a PEM certificate"),
  PASSWORD("pwd", "PASSWORD", "tls-password", "the password of a PFX certificate"),
  DEBUG("debug", 'd', "FILE", "log-file", "logs every request and its string-to-sign to FILE"),
  IN_MEMORY(
      "inMemoryPersistence",
      "",
      "in-memory",
      "keeps the data in memory; excludes --location, as in Azurite"),
  MEMORY_LIMIT(
      "extentMemoryLimit",
      "MEGABYTES",
      "memory",
      "limits the data in memory, tables included, to at most half of the heap; beyond it writes"
          + " get 503"),
  PATH_STYLE(
      "disableProductStyleUrl",
      "",
      "host-style",
      "takes the account from the path, never from the host"),
  OAUTH(
      "oauth",
      "LEVEL",
      "oauth",
      "basic accepts bearer tokens without a check of their signature; needs --cert"),
  SILENT("silent", 's', "", "access-log", "does not print a line for each request"),
  LOOSE("loose", 'L', "", "", "no effect: unknown headers and parameters are always ignored"),
  SKIP_VERSIONS("skipApiVersionCheck", "", "", "no effect: newer API versions are always accepted"),
  TELEMETRY("disableTelemetry", "", "", "no effect: nothing is collected"),
  BLOB_KEEP_ALIVE("blobKeepAliveTimeout", "SECONDS", "", "no effect: the timeout is two minutes"),
  QUEUE_KEEP_ALIVE("queueKeepAliveTimeout", "SECONDS", "", "no effect: the timeout is two minutes"),
  TABLE_KEEP_ALIVE("tableKeepAliveTimeout", "SECONDS", "", "no effect: the timeout is two minutes"),
  HELP("help", 'h', "", "", "prints this list"),
  VERSION("version", 'v', "", "", "prints the version of Lazuli");

  private static final char NO_LETTER = 0;

  private final String text;
  private final char letter;
  private final String label;
  private final String setting;
  private final String meaning;

  AzuriteOption(String text, char letter, String label, String setting, String meaning) {
    this.text = text;
    this.letter = letter;
    this.label = label;
    this.setting = setting;
    this.meaning = meaning;
  }

  AzuriteOption(String text, String label, String setting, String meaning) {
    this(text, NO_LETTER, label, setting, meaning);
  }

  /** Returns the option with that name or letter, given without dashes; null if there is none. */
  static @Nullable AzuriteOption find(String name) {
    for (AzuriteOption option : values()) {
      if (name.equals(option.text) || name.equals(String.valueOf(option.letter))) {
        return option;
      }
    }
    return null;
  }

  static List<String> names() {
    return List.of(values()).stream().map(option -> option.text).toList();
  }

  boolean takesValue() {
    return !label.isEmpty();
  }

  /** Returns the key of the corresponding setting; empty if there is none. */
  String setting() {
    return setting;
  }

  String meaning() {
    return meaning;
  }

  /** Returns the option with its dashes and the label of its value. */
  String usage() {
    String shorter = letter == NO_LETTER ? "" : "-" + letter + ", ";
    return shorter + this + (takesValue() ? " " + label : "");
  }

  @Override
  public String toString() {
    return "--" + text;
  }
}
