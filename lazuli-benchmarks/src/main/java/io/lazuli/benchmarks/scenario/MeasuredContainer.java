package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.load.Load;
import io.lazuli.benchmarks.load.LoadFailedException;
import io.lazuli.benchmarks.load.LoadResult;
import io.lazuli.benchmarks.load.ResponseReader;
import io.lazuli.benchmarks.load.Script;
import io.lazuli.benchmarks.protocol.BlobPuts;
import io.lazuli.benchmarks.protocol.BlobRequests;
import io.lazuli.benchmarks.protocol.BlobUploads;
import io.lazuli.benchmarks.protocol.Cycle;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A container of one server and the operations on it. In samples of puts and gets, the entities are
 * KiB; in samples of listings, blobs.
 */
final class MeasuredContainer {
  private static final int FILLING_CONNECTIONS = 32;
  private static final int LISTED_BLOB_BYTES = 16;

  /** The range size that the SDKs use when they download to a file. */
  private static final int RANGE_BYTES = 4 << 20;

  private static final String LARGE = "large";

  private final ServerProcess server;
  private final String name;
  private long largeBytes;

  private MeasuredContainer(ServerProcess server, String name) {
    this.server = server;
    this.name = name;
  }

  static MeasuredContainer create(ServerProcess server, String name) throws IOException {
    MeasuredContainer container = new MeasuredContainer(server, name);
    Exchange.require(server.address(), container.requests().createContainer(name));
    return container;
  }

  /** Returns the server's name. */
  String server() {
    return server.name();
  }

  /** Puts blobs of one size for some time, with a number of names in turn. */
  Sample put(int connections, int blobs, int bytes, long nanos) throws IOException {
    AtomicLong next = new AtomicLong();
    Supplier<Optional<String>> names = () -> Optional.of(blob(next.getAndIncrement() % blobs));
    return Sample.of(
        run(BlobPuts.of(connections, requests(), name, names, bytes), nanos), bytes >> 10);
  }

  /** Gets blobs for some time; all of them must exist. */
  Sample get(int connections, int blobs, int bytes, long nanos) throws IOException {
    BlobRequests requests = requests();
    AtomicLong next = new AtomicLong();
    Supplier<ByteBuffer> get = () -> requests.get(name, blob(next.getAndIncrement()));
    requireBytes(requests.get(name, blob(0)), bytes);
    return Sample.of(run(Cycle.of(connections, blobs, get), nanos), bytes >> 10);
  }

  /** Uploads one blob in blocks. */
  Sample upload(int connections, int blocks) throws IOException {
    LoadResult result = finish(BlobUploads.of(connections, requests(), name, LARGE, blocks, 1));
    largeBytes = (long) blocks * BlobUploads.BLOCK_BYTES;
    return Sample.of(result, 1, largeBytes >> 10);
  }

  /** Gets the uploaded blob repeatedly. */
  Sample download(long nanos) throws IOException {
    BlobRequests requests = requests();
    requireBytes(requests.get(name, LARGE + 0), largeBytes);
    List<Cycle> scripts = Cycle.of(1, 1, () -> requests.get(name, LARGE + 0));
    return Sample.of(run(scripts, nanos), largeBytes >> 10);
  }

  /** Gets the uploaded blob repeatedly, range by range. */
  Sample downloadRanges(int connections, long nanos) throws IOException {
    BlobRequests requests = requests();
    AtomicLong next = new AtomicLong();
    Supplier<ByteBuffer> range =
        () -> requests.getRange(name, LARGE + 0, next.getAndAdd(RANGE_BYTES), RANGE_BYTES);
    List<Cycle> scripts = Cycle.of(connections, (int) (largeBytes / RANGE_BYTES), range);
    return Sample.of(run(scripts, nanos), RANGE_BYTES >> 10);
  }

  /** Puts a number of small blobs, {@link BlobListScenario#FOUND} with each prefix. */
  void fillFolders(long blobs) throws IOException {
    fill(
        FILLING_CONNECTIONS,
        blobs,
        LISTED_BLOB_BYTES,
        number -> prefix(number / BlobListScenario.FOUND) + number);
  }

  /** Puts each of a number of blobs once. */
  void fill(long blobs, int bytes) throws IOException {
    fill(FILLING_CONNECTIONS, blobs, bytes);
  }

  /** Puts each of a number of blobs once. Each connection holds one body in memory. */
  void fill(int connections, long blobs, int bytes) throws IOException {
    fill(connections, blobs, bytes, MeasuredContainer::blob);
  }

  private void fill(int connections, long blobs, int bytes, LongFunction<String> blob)
      throws IOException {
    AtomicLong next = new AtomicLong();
    Supplier<Optional<String>> names =
        () -> Optional.of(next.getAndIncrement()).filter(n -> n < blobs).map(blob::apply);
    finish(BlobPuts.of(connections, requests(), name, names, bytes));
  }

  /** Lists by one prefix after another. */
  Sample listByPrefix(int connections, long prefixes, long nanos) throws IOException {
    BlobRequests requests = requests();
    AtomicLong next = new AtomicLong();
    Supplier<ByteBuffer> list = () -> requests.list(name, prefix(next.getAndIncrement()), "");
    requireBlobs(Exchange.require(server.address(), list.get()), BlobListScenario.FOUND);
    next.set(0);
    return Sample.of(
        run(Cycle.of(connections, (int) prefixes, list), nanos), BlobListScenario.FOUND);
  }

  /** Returns the markers of all pages of the whole listing; the first is empty. */
  List<String> markers(long blobs) throws IOException {
    List<String> markers = new ArrayList<>();
    long found = 0;
    for (String marker = ""; markers.isEmpty() || !marker.isEmpty(); ) {
      markers.add(marker);
      ResponseReader page = Exchange.require(server.address(), requests().list(name, "", marker));
      found += blobs(page);
      marker = nextMarker(page.body());
    }
    requireEqual(found, blobs, "blobs");
    return markers;
  }

  /** Lists the pages repeatedly; the requests of a sample are pages of equal size. */
  Sample listAll(List<String> markers, long blobs, long nanos) throws IOException {
    BlobRequests requests = requests();
    AtomicLong next = new AtomicLong();
    Supplier<ByteBuffer> page =
        () -> requests.list(name, "", markers.get((int) next.getAndIncrement()));
    return Sample.of(run(Cycle.of(1, markers.size(), page), nanos), blobs / markers.size());
  }

  private BlobRequests requests() {
    return BlobRequests.signedNow(server.endpoint());
  }

  private LoadResult run(List<? extends Script> scripts, long nanos) throws IOException {
    return Load.run(server.address(), scripts, server::cpuNanos, nanos).requireNoErrors();
  }

  private LoadResult finish(List<? extends Script> scripts) throws IOException {
    return Load.run(server.address(), scripts, server::cpuNanos, () -> true).requireNoErrors();
  }

  private void requireBytes(ByteBuffer get, long bytes) throws IOException {
    requireEqual(Exchange.require(server.address(), get).bodyBytes(), bytes, "bytes");
  }

  private void requireBlobs(ResponseReader page, long blobs) {
    requireEqual(blobs(page), blobs, "blobs");
  }

  /** Fails if a result is wrong: a fast wrong response is worthless. */
  private void requireEqual(long found, long expected, String what) {
    if (found != expected) {
      throw new LoadFailedException(
          server.name() + " has " + found + " " + what + " instead of " + expected);
    }
  }

  private static long blobs(ResponseReader page) {
    return page.body().split("<Blob>", -1).length - 1L;
  }

  private static String nextMarker(String page) {
    String begin = "<NextMarker>";
    int from = page.lastIndexOf(begin);
    return from < 0
        ? ""
        : page.substring(from + begin.length(), page.indexOf("</NextMarker>", from));
  }

  private static String blob(long number) {
    return "blob" + number;
  }

  private static String prefix(long number) {
    return "folder" + number + "/";
  }
}
