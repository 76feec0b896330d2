package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.commit.OwnRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates missing tables of the engine, and refuses tables whose options would lose data. */
public final class TableSetup {
  private static final Logger log = LoggerFactory.getLogger(TableSetup.class);
  private static final long WAIT_SECONDS = 90;

  private final AsyncAdmin admin;
  private final String namespace;

  public TableSetup(AsyncAdmin admin, String namespace) {
    this.admin = admin;
    this.namespace = namespace;
  }

  /** Creates missing tables and checks all of them. */
  public void run() {
    List<TableDescriptor> before = existing();
    List<StoreTable> missing =
        Arrays.stream(StoreTable.values()).filter(table -> find(before, table).isEmpty()).toList();
    if (!missing.isEmpty()) {
      create(missing);
    }
    List<TableDescriptor> there = missing.isEmpty() ? before : existing();
    for (StoreTable table : StoreTable.values()) {
      TableDescriptor found =
          find(there, table)
              .orElseThrow(
                  () -> new EngineOpenException("table " + name(table) + " is missing", null));
      List<String> faults = faults(found);
      if (!faults.isEmpty()) {
        throw new EngineOpenException(
            "table " + name(table) + " must be altered: " + String.join("; ", faults), null);
      }
      advise(table, found);
    }
  }

  /** Returns the tables that exist. */
  public List<TableName> present() {
    return existing().stream().map(TableDescriptor::getTableName).toList();
  }

  /**
   * Creates one table.
   *
   * @param boundaries the keys at which its regions begin, without the first region
   */
  public void create(StoreTable table, byte[][] boundaries) {
    createNamespace();
    await(createTable(table, boundaries));
  }

  private CompletableFuture<Void> createTable(StoreTable table, byte[][] boundaries) {
    return boundaries.length == 0
        ? admin.createTable(table.descriptor(namespace))
        : admin.createTable(table.descriptor(namespace), boundaries);
  }

  /**
   * Returns the keys at which the regions of a new table begin, without the first region. The
   * servers' reports have a region of their own in the catalogue; if an operator or an older server
   * created the table, the balancer splits it there.
   */
  public static byte[][] boundaries(StoreTable table) {
    return table == StoreTable.CATALOG
        ? new byte[][] {OwnRows.reportsStart().array()}
        : new byte[0][];
  }

  private List<TableDescriptor> existing() {
    List<TableName> names = Arrays.stream(StoreTable.values()).map(this::name).toList();
    return await(admin.listTableDescriptors(names));
  }

  private void create(List<StoreTable> missing) {
    try {
      createNamespace();
      List<CompletableFuture<Void>> creations =
          missing.stream().map(table -> createTable(table, boundaries(table))).toList();
      creations.forEach(this::create);
    } catch (EngineOpenException e) {
      if (e.getCause() instanceof AccessDeniedException) {
        throw new EngineOpenException(
            "this user may not create tables; run in the HBase shell as a user who may:\n"
                + shellCommands(namespace, missing),
            e);
      }
      throw e;
    }
  }

  private void createNamespace() {
    // The attempt to create a namespace needs a global right, even if the namespace exists.
    // Creating tables does not.
    if (!await(admin.listNamespaces()).contains(namespace)) {
      create(admin.createNamespace(NamespaceDescriptor.create(namespace).build()));
    }
  }

  /** Waits for a creation. Another server may have been faster. */
  private void create(CompletableFuture<Void> creation) {
    try {
      await(creation);
    } catch (EngineOpenException e) {
      if (!(e.getCause() instanceof NamespaceExistException
          || e.getCause() instanceof TableExistsException)) {
        throw e;
      }
    }
  }

  /**
   * Returns the commands for an operator with more rights. The first command fails if the namespace
   * exists.
   */
  static String shellCommands(String namespace, List<StoreTable> missing) {
    return missing.stream()
        .map(table -> table.shellCommand(namespace))
        .collect(Collectors.joining("\n", "create_namespace '" + namespace + "'\n", ""));
  }

  static List<String> faults(TableDescriptor table) {
    List<String> faults = new ArrayList<>();
    require(
        faults, table.hasCoprocessor(StoreTable.ENDPOINT), "coprocessor " + StoreTable.ENDPOINT);
    require(
        faults,
        StoreTable.RESTRICTION_TYPE.equals(table.getValue(StoreTable.RESTRICTION)),
        StoreTable.RESTRICTION + " = " + StoreTable.RESTRICTION_TYPE);
    require(
        faults,
        StoreTable.DELIMITER_VALUE.equals(table.getValue(StoreTable.DELIMITER)),
        StoreTable.DELIMITER + " = the character U+0000");
    ColumnFamilyDescriptor family = table.getColumnFamily(StoreTable.FAMILY);
    require(faults, family != null, "column family d");
    if (family != null) {
      require(faults, family.getMaxVersions() == 1, "VERSIONS = 1");
      require(faults, !family.isNewVersionBehavior(), "NEW_VERSION_BEHAVIOR = false");
    }
    return faults;
  }

  /**
   * Names the command that makes reads of an older table cheaper. The server does not run it,
   * because it closes and reopens all regions of the table.
   */
  private void advise(StoreTable table, TableDescriptor found) {
    if (!table.hasOwnBlocks(found.getColumnFamily(StoreTable.FAMILY))) {
      log.info(
          "reads of table {} cost less after this command of the HBase shell: {}",
          name(table),
          table.alterCommand(namespace));
    }
  }

  private static void require(List<String> faults, boolean holds, String what) {
    if (!holds) {
      faults.add("it needs " + what);
    }
  }

  private Optional<TableDescriptor> find(List<TableDescriptor> tables, StoreTable wanted) {
    return tables.stream().filter(table -> table.getTableName().equals(name(wanted))).findAny();
  }

  private TableName name(StoreTable table) {
    return table.name(namespace);
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new EngineOpenException("the cluster refused: " + line(e), e.getCause());
    } catch (TimeoutException e) {
      throw new EngineOpenException("the cluster's master does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineOpenException("interrupted while creating the tables", e);
    }
  }

  /** Returns one line: HBase's own message about many attempts has one for each of them. */
  private static String line(ExecutionException failed) {
    Throwable refusal = Objects.requireNonNull(failed.getCause());
    Throwable last = refusal.getCause();
    Throwable named = refusal instanceof RetriesExhaustedException && last != null ? last : refusal;
    return named.toString().strip().replace('\n', ' ');
  }
}
