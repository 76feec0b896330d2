package io.lazuli.storage.hbase.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;

/** A client library of HBase whose regions and answers the test controls. Every row is a region. */
final class FakeHBase {
  static final ServerName META = server("meta");

  /** A get that was sent. */
  record Sent(ServerName server, String row, CompletableFuture<Result> answer) {}

  private final Map<String, HRegionLocation> known = new ConcurrentHashMap<>();
  private final Map<String, ServerName> stored = new ConcurrentHashMap<>();
  private final List<CompletableFuture<Void>> lookups = new CopyOnWriteArrayList<>();
  private final List<Sent> sent = new CopyOnWriteArrayList<>();
  private final List<List<String>> batches = new CopyOnWriteArrayList<>();
  private final AtomicInteger moves = new AtomicInteger();
  private volatile boolean metaStalls;

  static ServerName server(String name) {
    return ServerName.valueOf(name, 1, 1);
  }

  /** Gives a row to a server. A client learns of it at its next lookup. */
  void move(String row, ServerName server) {
    moves.incrementAndGet();
    stored.put(row, server);
  }

  /** Lets the lookups in {@code hbase:meta} wait until {@link #resumeMeta}. */
  void stallMeta() {
    metaStalls = true;
  }

  void resumeMeta() {
    metaStalls = false;
    lookups.forEach(lookup -> lookup.complete(null));
  }

  int lookups() {
    return lookups.size();
  }

  List<Sent> sent() {
    return sent;
  }

  List<Sent> sentTo(ServerName server) {
    return sent.stream().filter(each -> each.server.equals(server)).toList();
  }

  /** Returns the rows of each multi-get, in the order in which they were sent. */
  List<List<String>> batches() {
    return batches;
  }

  AsyncConnection connection() {
    return proxy(
        AsyncConnection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getTableBuilder" -> builder();
              case "getRegionLocator" -> locator(((TableName) arguments[0]).isSystemTable());
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private AsyncTableBuilder<?> builder() {
    return proxy(
        AsyncTableBuilder.class,
        (self, method, arguments) -> method.getName().equals("build") ? table() : self);
  }

  private AsyncTable<?> table() {
    return proxy(
        AsyncTable.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getRegionLocator" -> locator(false);
              case "get" -> arguments[0] instanceof Get one ? get(one) : getAll(arguments[0]);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private AsyncTableRegionLocator locator(boolean ofMeta) {
    return proxy(
        AsyncTableRegionLocator.class,
        (self, method, arguments) ->
            ofMeta
                ? CompletableFuture.completedFuture(location("meta", META))
                : locate(new String((byte[]) arguments[0], UTF_8), (boolean) arguments[1]));
  }

  private CompletableFuture<HRegionLocation> locate(String row, boolean reload) {
    HRegionLocation cached = known.get(row);
    if (cached != null && !reload) {
      return CompletableFuture.completedFuture(cached);
    }
    CompletableFuture<Void> lookup = new CompletableFuture<>();
    lookups.add(lookup);
    if (!metaStalls) {
      lookup.complete(null);
    }
    return lookup.thenApply(
        done -> {
          HRegionLocation found = location(row, stored.get(row));
          known.put(row, found);
          return found;
        });
  }

  private CompletableFuture<Result> get(Get get) {
    String row = new String(get.getRow(), UTF_8);
    CompletableFuture<Result> answer = new CompletableFuture<>();
    sent.add(new Sent(known.get(row).getServerName(), row, answer));
    return answer;
  }

  private List<CompletableFuture<Result>> getAll(Object gets) {
    List<Get> all = ((List<?>) gets).stream().map(Get.class::cast).toList();
    batches.add(all.stream().map(get -> new String(get.getRow(), UTF_8)).toList());
    return all.stream().map(this::get).toList();
  }

  private HRegionLocation location(String row, ServerName server) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(row.getBytes(UTF_8))
            .build();
    return new HRegionLocation(region, server, moves.get());
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
