package io.lazuli.server.migration;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.OfflineStore;
import io.lazuli.server.account.SettingsOperation.ReplacePolicies;
import io.lazuli.server.account.StoredAccessPolicy;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.EntityBody;
import io.lazuli.server.table.protocol.EntityParser;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.DeleteTable;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes over tables. The file is read twice: first the tables and their settings, then the entities
 * in the collections of those that were made. Mutable; used once, by one thread.
 */
final class TableImport {
  private static final String TABLES = "$TABLES_COLLECTION$";
  private static final String LETTERS = "raud";
  private static final String TYPE = "@odata.type";
  private static final Pattern GUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Writes under way; the engine syncs them together. */
  private static final int PENDING_MAX = 64;

  private static final int PROGRESS_EVERY = 10_000;

  private final LokiFile file;
  private final OfflineStore store;
  private final boolean replace;
  private final ImportReport report;
  private final JsonFactory json = new JsonFactory();

  /** By the name of their collection, in small letters; null for those that were left out. */
  private final Map<String, @Nullable Target> targets = new HashMap<>();

  private final Deque<Pending> pending = new ArrayDeque<>();

  TableImport(LokiFile file, OfflineStore store, boolean replace, ImportReport report) {
    this.file = file;
    this.store = store;
    this.replace = replace;
    this.report = report;
  }

  /** A table that is being filled; counts its entities. */
  private static final class Target {
    private final String account;
    private final TableName name;
    private long entities;

    Target(String account, TableName name) {
      this.account = account;
      this.name = name;
    }

    String title() {
      return "table " + account + "/" + name.text();
    }
  }

  private record Pending(Target target, EntityKey key, CompletionStage<TableOutcome> outcome) {}

  void run() {
    new FirstPass(file, TABLES, collection -> true, this::add, store.tableSettings(), false, report)
        .run();
    file.read(new Entities());
    finishAll();
    for (Target target : targets.values()) {
      if (target != null) {
        report.progress(target.title() + ": " + target.entities + " entities");
      }
    }
  }

  private void add(LokiDocument document) {
    String account = document.text("account");
    String name = document.text("table");
    targets.put(collectionOf(account, name), create(account, name, document));
  }

  private static String collectionOf(String account, String table) {
    return (account + "$" + table).toLowerCase(Locale.ROOT);
  }

  private @Nullable Target create(String account, String text, LokiDocument document) {
    String title = "table " + account + "/" + text;
    try {
      Target target = new Target(account, TableName.require(text));
      if (!make(target)) {
        report.leftOut(title, "it is there already; --replace replaces it");
        return null;
      }
      report.imported("tables");
      setPolicies(target, document);
      return target;
    } catch (ServiceException e) {
      report.leftOut(title, e);
      return null;
    }
  }

  /** False if there is such a table, and it shall stay. */
  private boolean make(Target target) {
    try {
      createTable(target);
      return true;
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_ALREADY_EXISTS)) {
        throw e;
      }
    }
    if (replace) {
      AzuriteImport.await(
          store
              .tables()
              .execute(
                  new DeleteTable(target.name),
                  AzuriteImport.owner(target.account),
                  AzuriteImport.deadline()));
      createTable(target);
    }
    return replace;
  }

  private void createTable(Target target) {
    AzuriteImport.await(
        store
            .tables()
            .execute(
                new CreateTable(target.name),
                AzuriteImport.owner(target.account),
                AzuriteImport.deadline()));
  }

  private void setPolicies(Target target, LokiDocument document) {
    try {
      List<StoredAccessPolicy> policies =
          ImportedSettings.policies(document.documents("tableAcl"), LETTERS);
      if (!policies.isEmpty()) {
        AzuriteImport.await(
            store
                .tableSettings()
                .execute(
                    new ReplacePolicies(target.name.key(), policies),
                    AzuriteImport.owner(target.account),
                    AzuriteImport.deadline()));
      }
    } catch (ServiceException e) {
      report.leftOut("access policies of " + target.title(), e);
    }
  }

  private final class Entities implements LokiFile.Visitor {
    @Override
    public boolean wants(String collection) {
      String key = collection.toLowerCase(Locale.ROOT);
      boolean known =
          targets.containsKey(key)
              || collection.equals(TABLES)
              || collection.equals(FirstPass.SERVICES);
      if (!known) {
        report.leftOut("collection " + collection + " of " + file.name(), "it is of no table");
      }
      return targets.get(key) != null;
    }

    @Override
    public void visit(String collection, LokiDocument document) {
      Target target = targets.get(collection.toLowerCase(Locale.ROOT));
      if (target != null) {
        put(target, document);
      }
    }
  }

  private void put(Target target, LokiDocument document) {
    EntityKey key = new EntityKey(document.text("PartitionKey"), document.text("RowKey"));
    try {
      EntityBody body = EntityParser.parse(bytes(document.document("properties")));
      EntityLimits.checkBodyKey("PartitionKey", key.partitionKey());
      EntityLimits.checkBodyKey("RowKey", key.rowKey());
      WriteEntities write =
          new WriteEntities(target.name, List.of(new EntityWrite.Insert(key, body.properties())));
      pending.add(
          new Pending(
              target,
              key,
              store
                  .tables()
                  .execute(write, AzuriteImport.owner(target.account), AzuriteImport.deadline())));
    } catch (ServiceException e) {
      report.leftOut(title(target, key), e);
    }
    if (pending.size() >= PENDING_MAX) {
      finishFirst();
    }
  }

  private void finishAll() {
    while (!pending.isEmpty()) {
      finishFirst();
    }
  }

  private void finishFirst() {
    Pending first = pending.remove();
    try {
      if (AzuriteImport.await(first.outcome()) instanceof TableOutcome.Refused refused) {
        throw refused.reason();
      }
      report.imported("entities");
      if (++first.target().entities % PROGRESS_EVERY == 0) {
        report.progress(
            first.target().title() + ": " + first.target().entities + " entities so far");
      }
    } catch (ServiceException e) {
      report.leftOut(title(first.target(), first.key()), e);
    }
  }

  private static String title(Target target, EntityKey key) {
    return target.title() + ", entity ('" + key.partitionKey() + "', '" + key.rowKey() + "')";
  }

  /** The entity as a client would send it. */
  private byte[] bytes(LokiDocument properties) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = json.createGenerator(out)) {
      withPlainGuids(properties).write(generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Azurite keeps GUIDs in Base64, older versions of it as they are. */
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
