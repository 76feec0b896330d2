package io.lazuli.server.migration;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.EntityBody;
import io.lazuli.server.table.protocol.EntityParser;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.DeleteTable;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Imports tables. It reads the file twice: first for the tables and their settings, then for the
 * entities of the tables that were created. Mutable; used once, by one thread.
 */
final class TableImport {
  private static final String TABLES = "$TABLES_COLLECTION$";
  private static final String TYPE = "@odata.type";
  private static final Pattern GUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private static final int PROGRESS_EVERY = 10_000;

  private final LokiFile file;
  private final OfflineStore store;
  private final ImportReport report;
  private final JsonFactory json = new JsonFactory();

  /** The tables by the lower-case name of their collection. */
  private final Holders<TableName> tables;

  private final Window<TableOutcome> writes = new Window<>();

  TableImport(LokiFile file, OfflineStore store, boolean replace, ImportReport report) {
    this.file = file;
    this.store = store;
    this.report = report;
    this.tables = new Holders<>(new Tables(), replace, report);
  }

  void run() {
    new FirstPass(file, TABLES, collection -> true, this::add, store.tableSettings(), false, report)
        .run();
    file.read(new Entities(), report);
    writes.finish();
    tables.made().forEach(table -> report.progress(table.filled("entities")));
  }

  private void add(LokiDocument document) {
    String account = document.text("account");
    String name = document.text("table");
    tables.add((account + "$" + name).toLowerCase(Locale.ROOT), account, name, document);
  }

  private final class Tables implements Holders.Kind<TableName> {
    @Override
    public String word() {
      return "table";
    }

    @Override
    public TableName name(String text) {
      return TableName.require(text);
    }

    @Override
    public BooleanSupplier creation(Holder<TableName> table, LokiDocument document) {
      return () -> {
        AzuriteImport.await(execute(table, new CreateTable(table.name())));
        return true;
      };
    }

    @Override
    public ServiceError existing() {
      return TableErrors.TABLE_ALREADY_EXISTS;
    }

    @Override
    public void drop(Holder<TableName> table) {
      AzuriteImport.await(execute(table, new DeleteTable(table.name())));
    }

    @Override
    public List<StoredAccessPolicy> policies(LokiDocument document) {
      return ImportedSettings.policies(document.documents("tableAcl"), "raud");
    }

    @Override
    public void setPolicies(
        Holder<TableName> table, LokiDocument document, List<StoredAccessPolicy> policies) {
      AzuriteImport.setPolicies(
          table.account(), table.name().key(), policies, store.tableSettings());
    }
  }

  private CompletionStage<TableOutcome> execute(Holder<TableName> table, TableOperation operation) {
    return store
        .tables()
        .execute(operation, AzuriteImport.owner(table.account()), AzuriteImport.deadline());
  }

  private final class Entities implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      String key = collection.toLowerCase(Locale.ROOT);
      boolean known =
          tables.isKnown(key) || collection.equals(TABLES) || collection.equals(FirstPass.SERVICES);
      if (!known) {
        report.leftOut("collection " + collection + " of " + file.name(), "it belongs to no table");
      }
      return tables.find(key) != null;
    }

    @Override
    public void visit(String collection, LokiDocument document, long at) {
      Holder<TableName> table = tables.find(collection.toLowerCase(Locale.ROOT));
      if (table != null) {
        put(table, document);
      }
    }
  }

  private void put(Holder<TableName> table, LokiDocument document) {
    EntityKey key = new EntityKey(document.text("PartitionKey"), document.text("RowKey"));
    String title =
        table.title() + ", entity ('" + key.partitionKey() + "', '" + key.rowKey() + "')";
    try {
      EntityBody body = EntityParser.parse(bytes(document.document("properties")));
      EntityLimits.checkBodyKey("PartitionKey", key.partitionKey());
      EntityLimits.checkBodyKey("RowKey", key.rowKey());
      EntityWrite insert = new EntityWrite.Insert(key, body.properties());
      writes.add(
          execute(table, new WriteEntities(table.name(), List.of(insert))),
          outcome -> count(table, outcome),
          refusal -> report.leftOut(title, refusal));
    } catch (ServiceException e) {
      report.leftOut(title, e);
    }
  }

  private void count(Holder<TableName> table, TableOutcome outcome) {
    if (outcome instanceof TableOutcome.Refused refused) {
      throw refused.reason();
    }
    table.count("entities", PROGRESS_EVERY, report);
  }

  /** Returns the entity as a client would send it. */
  private byte[] bytes(LokiDocument properties) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = json.createGenerator(out)) {
      withPlainGuids(properties).write(generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Decodes GUIDs. Azurite stores them in Base64; older versions store plain text. */
  private static LokiDocument withPlainGuids(LokiDocument properties) {
    Map<String, Object> plain = new LinkedHashMap<>(properties.members());
    properties
        .members()
        .forEach(
            (name, value) -> {
              boolean guid = properties.text(name + TYPE).equals("Edm.Guid");
              if (guid && value instanceof String text && !GUID.matcher(text).matches()) {
                plain.put(name, decoded(text));
              }
            });
    return new LokiDocument(plain);
  }

  private static String decoded(String text) {
    try {
      return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
