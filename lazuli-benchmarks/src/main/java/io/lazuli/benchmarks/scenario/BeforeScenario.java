package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.BlobUploads;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.report.Spread;
import io.lazuli.benchmarks.server.ServerProcess;
import io.lazuli.benchmarks.server.Servers;
import io.lazuli.benchmarks.server.Servers.Service;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares the server's CPU per request with an earlier server: point GETs, durable inserts, range
 * queries, PUTs and GETs of blobs. A second process of the earlier server takes part: the
 * difference between two processes of one program is the smallest difference that is significant.
 * All processes are started several times, because the JVM compiles each of them differently at run
 * time.
 */
final class BeforeScenario implements Scenario {
  private static final int STARTS = 3;
  private static final int GET_CONNECTIONS = 32;
  private static final int INSERT_CONNECTIONS = 64;
  private static final String INSERT_TABLE = "inserts";
  private static final int MIB = 1 << 20;
  private static final int SMALL_CONNECTIONS = 32;
  private static final int SMALL_BLOBS = 200;
  private static final int SMALL_BYTES = 4 << 10;
  private static final int BLOB_CONNECTIONS = 4;
  private static final int BLOBS = 16;
  private static final int ONE_FILE_MEBIBYTES = 32;
  private static final int LARGE_MEBIBYTES = 256;

  private enum Part {
    GETS,
    INSERTS,
    QUERIES,
    SMALL_BLOBS,
    LARGE_BLOBS
  }

  private final String name;
  private final Set<Part> parts;
  private final AtomicLong insertedRows = new AtomicLong();

  private BeforeScenario(String name, Set<Part> parts) {
    this.name = name;
    this.parts = parts;
  }

  /** Returns the scenario with all requests. */
  static BeforeScenario ofAll() {
    return new BeforeScenario("before", EnumSet.allOf(Part.class));
  }

  /** Returns the scenario with small blobs only, which takes two minutes. */
  static BeforeScenario ofSmallBlobs() {
    return new BeforeScenario("before-small-blobs", EnumSet.of(Part.SMALL_BLOBS));
  }

  /** Returns the scenario with point GETs only: many rounds fit into a few quiet minutes. */
  static BeforeScenario ofPointGets() {
    return new BeforeScenario("before-gets", EnumSet.of(Part.GETS));
  }

  /** Returns the scenario with inserts only. */
  static BeforeScenario ofInserts() {
    return new BeforeScenario("before-inserts", EnumSet.of(Part.INSERTS));
  }

  /** Returns the scenario with queries only. */
  static BeforeScenario ofQueries() {
    return new BeforeScenario("before-queries", EnumSet.of(Part.QUERIES));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section =
        new Section(
            "CPU per request, against an earlier server",
            "request",
            "rounds",
            "before us",
            "now us",
            "now / before",
            "middle half",
            "before / before",
            "middle half");
    if (!stage.servers().hasBefore()) {
      return section.remark("Not measured; pass the jar of an earlier server with --before.");
    }
    if (parts.contains(Part.GETS)) {
      row(section, "point GET", stage, (entrant, server) -> gets(entrant, stage, server));
    }
    if (parts.contains(Part.INSERTS)) {
      row(section, "insert", stage, (entrant, server) -> inserts(entrant, stage, server));
    }
    if (parts.contains(Part.QUERIES)) {
      row(section, "query of 100", stage, (entrant, server) -> queries(entrant, stage, server));
    }
    if (parts.contains(Part.SMALL_BLOBS)) {
      blobRow(section, "blob PUT, 4 KiB", stage, BeforeScenario::smallPuts);
      blobRow(section, "blob GET, 4 KiB", stage, BeforeScenario::smallGets);
    }
    if (parts.contains(Part.LARGE_BLOBS)) {
      largeBlobs(section, stage);
    }
    return section.remark(
        "\"before / before\" compares two processes of the earlier server: differences of that"
            + " size are noise.");
  }

  private static void largeBlobs(Section section, Stage stage) throws IOException {
    blobRow(section, "blob GET, 1 MiB", stage, server -> wholeBlobs(server, BLOBS, 1));
    blobRow(
        section, "blob GET, 32 MiB", stage, server -> wholeBlobs(server, 1, ONE_FILE_MEBIBYTES));
    blobRow(section, "blob GET, 256 MiB", stage, BeforeScenario::largeBlob);
    section.remark("The blob of 256 MiB was put in blocks of 8 MiB, the others with one request.");
  }

  /** Creates the measurement of one process. */
  @FunctionalInterface
  private interface Kind {
    Entrant of(String entrant, ServerProcess server) throws IOException;
  }

  /** Stores blobs on a server and creates the measurement of their GETs. */
  @FunctionalInterface
  private interface Gets {
    Entrant.Measure of(ServerProcess server) throws IOException;
  }

  private static void row(Section section, String name, Stage stage, Kind kind) throws IOException {
    row(section, name, stage, Service.TABLE, kind);
  }

  private static void blobRow(Section section, String name, Stage stage, Gets gets)
      throws IOException {
    row(
        section,
        name,
        stage,
        Service.BLOB,
        (entrant, server) -> new Entrant(entrant, gets.of(server)));
  }

  private static void row(Section section, String name, Stage stage, Service service, Kind kind)
      throws IOException {
    List<Series> all = oneStart(stage, service, kind);
    for (int start = 1; start < STARTS; start++) {
      List<Series> more = oneStart(stage, service, kind);
      for (int i = 0; i < all.size(); i++) {
        all.set(i, all.get(i).and(more.get(i)));
      }
    }
    Series now = all.get(0);
    Series before = all.get(1);
    Spread change = now.ratiosTo(before, Sample::cpuMicros);
    Spread noise = all.get(2).ratiosTo(before, Sample::cpuMicros);
    section.row(
        name,
        Figures.count(now.rounds().size()),
        Figures.number(before.median(Sample::cpuMicros)),
        Figures.number(now.median(Sample::cpuMicros)),
        Figures.ratio(change.median()),
        change.middleHalf(),
        Figures.ratio(noise.median()),
        noise.middleHalf());
  }

  private static List<Series> oneStart(Stage stage, Service service, Kind kind) throws IOException {
    Servers servers = stage.servers();
    try (ServerProcess now = servers.startLazuli(service, stage.newFolder());
        ServerProcess before = servers.startBefore(service, stage.newFolder()).orElseThrow();
        ServerProcess again = servers.startBefore(service, stage.newFolder()).orElseThrow()) {
      List<Entrant> entrants = new ArrayList<>();
      entrants.add(kind.of("now", now));
      entrants.add(kind.of("before", before));
      entrants.add(kind.of("before, again", again));
      return new ArrayList<>(stage.inShortTurns(entrants));
    }
  }

  private static Entrant gets(String entrant, Stage stage, ServerProcess server)
      throws IOException {
    stage.warmUp(server);
    return new Entrant(entrant, GetScenario.gets(stage, server, GET_CONNECTIONS));
  }

  private Entrant inserts(String entrant, Stage stage, ServerProcess server) throws IOException {
    stage.createTable(server, INSERT_TABLE);
    stage.warmUp(server);
    return new Entrant(
        entrant,
        InsertScenario.inserts(stage, server, INSERT_TABLE, INSERT_CONNECTIONS, insertedRows));
  }

  private static Entrant queries(String entrant, Stage stage, ServerProcess server)
      throws IOException {
    stage.warmUp(server);
    return new Entrant(
        entrant, QueryScenario.ranges(stage, server, Scale.SMALL_ENTITIES).measure());
  }

  private static Entrant.Measure smallPuts(ServerProcess server) throws IOException {
    MeasuredContainer container = smallBlobs(server);
    return nanos -> container.put(SMALL_CONNECTIONS, SMALL_BLOBS, SMALL_BYTES, nanos);
  }

  private static Entrant.Measure smallGets(ServerProcess server) throws IOException {
    MeasuredContainer container = smallBlobs(server);
    return nanos -> container.get(SMALL_CONNECTIONS, SMALL_BLOBS, SMALL_BYTES, nanos);
  }

  private static MeasuredContainer smallBlobs(ServerProcess server) throws IOException {
    MeasuredContainer container = MeasuredContainer.create(server, "small");
    container.fill(SMALL_BLOBS, SMALL_BYTES);
    return container;
  }

  private static Entrant.Measure wholeBlobs(ServerProcess server, int blobs, int mebibytes)
      throws IOException {
    MeasuredContainer container = MeasuredContainer.create(server, "whole");
    int bytes = mebibytes * MIB;
    container.fill(1, blobs, bytes);
    return nanos -> container.get(BLOB_CONNECTIONS, blobs, bytes, nanos);
  }

  private static Entrant.Measure largeBlob(ServerProcess server) throws IOException {
    MeasuredContainer container = MeasuredContainer.create(server, "blocks");
    container.upload(BLOB_CONNECTIONS, LARGE_MEBIBYTES * MIB / BlobUploads.BLOCK_BYTES);
    return container::download;
  }
}
