package io.lazuli.transfer.http;

/** One of the three services of an account. */
public enum StorageKind {
  TABLE("table", "TableEndpoint", 10002),
  QUEUE("queue", "QueueEndpoint", 10001),
  BLOB("blob", "BlobEndpoint", 10000);

  private final String label;
  private final String setting;
  private final int developmentPort;

  StorageKind(String label, String setting, int developmentPort) {
    this.label = label;
    this.setting = setting;
    this.developmentPort = developmentPort;
  }

  /** Returns the word in the host names of the service. */
  String label() {
    return label;
  }

  /** Returns the name of the endpoint in a connection string. */
  String setting() {
    return setting;
  }

  /** Returns the port that emulators use. */
  int developmentPort() {
    return developmentPort;
  }
}
