package io.lazuli.server.migration;

import io.lazuli.server.settings.SettingsService;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The first pass over a file. It visits the tables, queues or containers, and the properties of the
 * service. The report lists unknown collections.
 *
 * @param holders the name of the collection of tables, queues or containers
 * @param later tests whether a later pass reads a collection
 * @param holder receives each table, queue or container
 * @param ofBlobs whether the properties are those of the blob service
 */
record FirstPass(
    LokiFile file,
    String holders,
    Predicate<String> later,
    Consumer<LokiDocument> holder,
    SettingsService settings,
    boolean ofBlobs,
    ImportReport report)
    implements LokiFile.Visitor {
  static final String SERVICES = "$SERVICES_COLLECTION$";

  void run() {
    file.read(this, report);
  }

  @Override
  public boolean wants(String collection) {
    boolean wanted = collection.equals(holders) || collection.equals(SERVICES);
    if (!wanted && !later.test(collection)) {
      report.leftOut("collection " + collection + " of " + file.name(), "unknown collection");
    }
    return wanted;
  }

  @Override
  public void visit(String collection, LokiDocument document, long at) {
    if (collection.equals(holders)) {
      holder.accept(document);
    } else {
      AzuriteImport.setProperties(document, ofBlobs, settings, report);
    }
  }
}
