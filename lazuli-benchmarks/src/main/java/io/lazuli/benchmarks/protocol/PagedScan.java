package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.ResponseReader;
import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Reads all results of a filter, following continuation tokens, and then starts again. A pass that
 * has started is finished, so that only complete passes are counted. Mutable; owned by its load's
 * thread.
 */
public final class PagedScan implements Script {
  private static final String PREFIX = "x-ms-continuation-";
  private static final int SERVER_BUSY = 503;

  private final TableRequests requests;
  private final String table;
  private final String filter;
  private final BooleanSupplier again;
  private String continuation = "";
  private boolean begun;
  private long passes;
  private long refused;

  /**
   * Creates a scan.
   *
   * @param again called before each pass
   */
  public PagedScan(TableRequests requests, String table, String filter, BooleanSupplier again) {
    this.requests = requests;
    this.table = table;
    this.filter = filter;
    this.again = again;
  }

  /** Returns the number of complete passes so far. */
  public long passes() {
    return passes;
  }

  /**
   * Returns the number of requests that the server rejected because it was busy; they were sent
   * again.
   */
  public long refused() {
    return refused;
  }

  @Override
  public Optional<ByteBuffer> next() {
    if (!begun && !again.getAsBoolean()) {
      return Optional.empty();
    }
    begun = true;
    return Optional.of(requests.query(table, filter, continuation));
  }

  @Override
  public boolean accept(ResponseReader answer) {
    if (answer.status() == SERVER_BUSY) {
      refused++;
      return true;
    }
    continuation = parameter(answer, "NextPartitionKey") + parameter(answer, "NextRowKey");
    if (continuation.isEmpty()) {
      passes++;
      begun = false;
    }
    return answer.succeeded();
  }

  private static String parameter(ResponseReader answer, String name) {
    return answer
        .header(PREFIX + name)
        .map(value -> "&" + name + "=" + TableRequests.encoded(value))
        .orElse("");
  }
}
