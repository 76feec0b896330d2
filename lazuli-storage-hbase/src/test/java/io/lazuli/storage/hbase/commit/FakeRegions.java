package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;
import org.apache.hadoop.hbase.shaded.com.google.protobuf.RpcChannel;
import org.jspecify.annotations.Nullable;

/**
 * A client library of HBase with regions in memory. Reads are answered immediately. Batches are
 * carried out as HBase does it, all conditions against the state before the call, but only when the
 * test wants it.
 */
public final class FakeRegions {
  private static final ServerName SERVER = ServerName.valueOf("fake", 1, 1);

  private final NavigableMap<Bytes, StoredCell> cells = new TreeMap<>();
  private final List<Batch> batches = new CopyOnWriteArrayList<>();
  private volatile Consumer<Batch> handler = batch -> {};

  /** Returns the first key of the region of a row. */
  private volatile Function<byte[], byte[]> regionOf = row -> new byte[0];

  /** A conditional batch that was sent. */
  final class Batch {
    private final MutateRowsRequest request;
    private final CompletableFuture<MutateRowsResponse> answer = new CompletableFuture<>();

    private Batch(MutateRowsRequest request) {
      this.request = request;
    }

    /** Returns the number of changed rows. */
    int mutations() {
      return request.getMutationRequestCount();
    }

    /** Carries out the batch, now or again. Returns false if the conditions do not hold. */
    boolean carryOut() {
      synchronized (cells) {
        boolean holds = request.getConditionList().stream().allMatch(FakeRegions.this::holds);
        if (holds) {
          request.getMutationRequestList().forEach(FakeRegions.this::apply);
        }
        return holds;
      }
    }

    void answer(boolean processed) {
      answer.complete(MutateRowsResponse.newBuilder().setProcessed(processed).build());
    }

    /** Carries out the batch and answers. */
    void process() {
      answer(carryOut());
    }

    /** Lets the caller believe that the answer was lost. */
    void lose() {
      fail(new CallTimeoutException("lost"));
    }

    void fail(IOException failure) {
      answer.completeExceptionally(failure);
    }
  }

  /** Handles all later batches in this way, as soon as they are sent. */
  void handle(Consumer<Batch> newHandler) {
    handler = newHandler;
  }

  /** Returns the batches that were sent, in order. */
  List<Batch> batches() {
    return batches;
  }

  /** Distributes rows over regions. */
  void split(Function<byte[], byte[]> newRegionOf) {
    regionOf = newRegionOf;
  }

  /** Changes a row as another server would. */
  public void write(byte[] key, StoredCell cell) {
    synchronized (cells) {
      cells.put(Bytes.of(key), cell);
    }
  }

  StoredCell read(byte[] key) {
    synchronized (cells) {
      return cells.getOrDefault(Bytes.of(key), StoredCell.ABSENT);
    }
  }

  private boolean holds(Condition condition) {
    byte[] stored = read(condition.getRow().toByteArray()).stored();
    try {
      ByteArrayComparable comparator = ProtobufUtil.toComparator(condition.getComparator());
      boolean wantsNothing = comparator.getValue() == null || comparator.getValue().length == 0;
      return wantsNothing
          ? stored == null
          : stored != null && comparator.compareTo(stored, 0, stored.length) == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void apply(MutationProto proto) {
    try {
      Mutation mutation = ProtobufUtil.toMutation(proto);
      Bytes key = Bytes.of(mutation.getRow());
      Cell cell = mutation.getFamilyCellMap().firstEntry().getValue().get(0);
      long before = cells.getOrDefault(key, StoredCell.ABSENT).millis();
      if (before > cell.getTimestamp()) {
        return;
      }
      if (mutation instanceof Put) {
        cells.put(key, new StoredCell(CellUtil.cloneValue(cell), cell.getTimestamp()));
      } else {
        cells.remove(key);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  AsyncConnection connection() {
    return proxy(
        AsyncConnection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getTableBuilder" -> builder();
              case "getRegionLocator" -> locator();
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
              case "getRegionLocator" -> locator();
              case "get" ->
                  arguments[0] instanceof Get get
                      ? CompletableFuture.completedFuture(result(get))
                      : results(arguments[0]).map(CompletableFuture::completedFuture).toList();
              case "getAll" -> CompletableFuture.completedFuture(results(arguments[0]).toList());
              case "put" -> changed(List.of((Put) arguments[0]), FakeRegions.this::put);
              case "putAll" -> changed(arguments[0], FakeRegions.this::put);
              case "deleteAll" -> changed(arguments[0], FakeRegions.this::delete);
              case "scan" -> scan((Scan) arguments[0], (AdvancedScanResultConsumer) arguments[1]);
              case "coprocessorService" -> mutate(arguments);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private static <M> CompletableFuture<Void> changed(Object all, Consumer<M> change) {
    @SuppressWarnings("unchecked")
    List<M> mutations = (List<M>) all;
    mutations.forEach(change);
    return CompletableFuture.completedFuture(null);
  }

  private void put(Put put) {
    Cell cell = put.getFamilyCellMap().firstEntry().getValue().get(0);
    write(put.getRow(), new StoredCell(CellUtil.cloneValue(cell), cell.getTimestamp()));
  }

  private void delete(Delete delete) {
    long millis = delete.getFamilyCellMap().firstEntry().getValue().get(0).getTimestamp();
    synchronized (cells) {
      if (read(delete.getRow()).millis() <= millis) {
        cells.remove(Bytes.of(delete.getRow()));
      }
    }
  }

  /** Answers a scan without its filter, one row after another until the consumer ends it. */
  private @Nullable Object scan(Scan scan, AdvancedScanResultConsumer consumer) {
    boolean forward = !scan.isReversed();
    Bytes start = Bytes.of(scan.getStartRow());
    Bytes stop = Bytes.of(scan.getStopRow());
    List<Result> found = new ArrayList<>();
    synchronized (cells) {
      NavigableMap<Bytes, StoredCell> ordered = forward ? cells : cells.descendingMap();
      ordered
          .subMap(start, scan.includeStartRow(), stop, scan.includeStopRow())
          .forEach((key, cell) -> found.add(result(key.array(), cell)));
    }
    int limit = scan.getLimit() < 0 ? Integer.MAX_VALUE : scan.getLimit();
    boolean[] ended = {false};
    for (Result row : found.subList(0, Math.min(found.size(), limit))) {
      consumer.onNext(new Result[] {row}, controller(row, ended));
      if (ended[0]) {
        return null;
      }
    }
    consumer.onComplete();
    return null;
  }

  /** The cursor of HBase can be the row that was sent last. */
  private static ScanController controller(Result last, boolean[] ended) {
    return proxy(
        ScanController.class,
        (self, method, arguments) -> {
          ended[0] |= method.getName().equals("terminate");
          return method.getName().equals("cursor")
              ? Optional.of(ClientUtil.createCursor(last.getRow()))
              : null;
        });
  }

  private java.util.stream.Stream<Result> results(Object gets) {
    return ((List<?>) gets).stream().map(get -> result((Get) get));
  }

  private Result result(Get get) {
    StoredCell cell = read(get.getRow());
    return cell.stored() == null ? Result.EMPTY_RESULT : result(get.getRow(), cell);
  }

  private static Result result(byte[] row, StoredCell cell) {
    return Result.create(
        List.of(
            new KeyValue(
                row,
                StoreTable.FAMILY,
                StoreTable.QUALIFIER,
                cell.millis(),
                cell.requireStored())));
  }

  @SuppressWarnings("unchecked")
  private CompletableFuture<MutateRowsResponse> mutate(Object[] arguments) {
    MutateRowsRequest[] sent = new MutateRowsRequest[1];
    RpcChannel channel =
        (method, controller, request, prototype, done) -> sent[0] = (MutateRowsRequest) request;
    Object stub = ((Function<RpcChannel, Object>) arguments[0]).apply(channel);
    ((ServiceCaller<Object, MutateRowsResponse>) arguments[1]).call(stub, null, answer -> {});
    Batch batch = new Batch(sent[0]);
    batches.add(batch);
    handler.accept(batch);
    return batch.answer;
  }

  private AsyncTableRegionLocator locator() {
    return proxy(
        AsyncTableRegionLocator.class,
        (self, method, arguments) ->
            CompletableFuture.completedFuture(location((byte[]) arguments[0])));
  }

  private HRegionLocation location(byte[] row) {
    byte[] start = regionOf.apply(row);
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(start)
            .setRegionId(1)
            .build();
    return new HRegionLocation(region, SERVER, 1);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
