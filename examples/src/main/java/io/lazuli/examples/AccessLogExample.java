package io.lazuli.examples;

import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.pattern.log.AsyncLogReader;
import io.lazuli.client.pattern.log.AsyncLogWriter;
import io.lazuli.client.pattern.log.LogEntry;
import io.lazuli.client.pattern.log.LogOptions;
import io.lazuli.client.pattern.log.LogWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Logs: entries go to append blobs, one for each hour, and are read by time. A table would put all
 * of them into one partition. Takes a connection string.
 */
public final class AccessLogExample {
  private final BlobContainerAsyncClient container;
  private final String name;

  public AccessLogExample(Account account, String name) {
    this.container = account.container("access-logs");
    this.name = name;
  }

  public static void main(String[] args) {
    AccessLogExample example = new AccessLogExample(Account.of(args), "shop-" + UUID.randomUUID());
    Instant start = Instant.now();
    example.write("employee 000123 logged in", "employee 000123 logged out");
    example.read(start.minusSeconds(1), start.plusSeconds(3600)).forEach(System.out::println);
  }

  /** Sends the entries together after a second, or earlier when there are 256 KiB. */
  public void write(String... lines) {
    LogOptions buffered = LogOptions.buffered(Duration.ofSeconds(1), 256 << 10);
    try (LogWriter log = AsyncLogWriter.of(container, name, buffered).blocking()) {
      Stream.of(lines).forEach(log::append);
    }
  }

  /** Reads only the blobs of these hours. */
  public List<String> read(Instant from, Instant to) {
    try (Stream<LogEntry> entries = AsyncLogReader.of(container, name).blocking().read(from, to)) {
      return entries.map(LogEntry::text).toList();
    }
  }
}
