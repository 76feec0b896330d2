package io.lazuli.conformance.history;

import com.azure.core.exception.AzureException;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import io.lazuli.storage.history.table.TableWrite;
import io.lazuli.storage.history.table.TableWrite.Verb;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The official client for tables. */
final class SdkTables implements io.lazuli.storage.history.table.TableClient {
  private static final String ETAG = "odata.etag";
  private static final Map<TableErrorCode, Integer> STATUSES =
      Map.of(
          TableErrorCode.ENTITY_ALREADY_EXISTS, 409,
          TableErrorCode.RESOURCE_NOT_FOUND, 404,
          TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED, 412);

  private final TableServiceClient service;

  SdkTables(String connection) {
    this.service =
        new TableServiceClientBuilder()
            .connectionString(connection)
            .retryOptions(new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1))))
            .buildClient();
  }

  @Override
  public void create(String table) {
    service.createTableIfNotExists(table);
  }

  @Override
  public Written write(String table, String partition, TableWrite write) throws IOException {
    TableClient client = service.getTableClient(table);
    TableEntity entity = entity(partition, write);
    boolean unchanged = write.expected() > 0;
    try {
      Response<Void> answer =
          switch (write.verb()) {
            case INSERT -> client.createEntityWithResponse(entity, null, null);
            case REPLACE, MERGE -> {
              TableEntityUpdateMode mode =
                  write.verb() == Verb.MERGE
                      ? TableEntityUpdateMode.MERGE
                      : TableEntityUpdateMode.REPLACE;
              yield write.expected() == TableWrite.NONE
                  ? client.upsertEntityWithResponse(entity, mode, null, null)
                  : client.updateEntityWithResponse(entity, mode, unchanged, null, null);
            }
            case DELETE -> client.deleteEntityWithResponse(entity, unchanged, null, null);
          };
      boolean done = answer.getStatusCode() < 300;
      return new Written(answer.getStatusCode(), done ? List.of(etag(answer)) : List.of());
    } catch (HttpResponseException e) {
      return new Written(status(e), List.of());
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  private static TableEntity entity(String partition, TableWrite write) {
    TableEntity entity = new TableEntity(partition, "r" + write.row());
    if (write.verb() == Verb.INSERT || write.verb() == Verb.REPLACE) {
      entity.addProperty("a", write.number());
    }
    if (write.verb() != Verb.DELETE) {
      entity.addProperty("b", write.number());
    }
    if (write.expected() > 0) {
      entity.addProperty(ETAG, write.etag());
    }
    return entity;
  }

  @Override
  public Written batch(String table, String partition, List<TableWrite> writes) throws IOException {
    List<TableTransactionAction> actions =
        writes.stream()
            .map(
                each ->
                    new TableTransactionAction(
                        type(each), entity(partition, each), each.expected() > 0))
            .toList();
    try {
      List<String> etags =
          service
              .getTableClient(table)
              .submitTransaction(actions)
              .getTransactionActionResponses()
              .stream()
              .map(SdkTables::etag)
              .toList();
      return new Written(204, etags);
    } catch (TableTransactionFailedException e) {
      Integer status = STATUSES.get(e.getValue().getErrorCode());
      if (status == null) {
        throw new IllegalStateException(writes.toString(), e);
      }
      return new Written(status, List.of());
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  /** Returns the ETag of an answer, with the last quote, which the client removes. */
  private static String etag(Response<?> answer) {
    String etag = answer.getHeaders().getValue(HttpHeaderName.ETAG);
    if (etag == null) {
      return "";
    }
    return etag.endsWith("\"") ? etag : etag + "\"";
  }

  private static TableTransactionActionType type(TableWrite write) {
    boolean upsert = write.expected() == TableWrite.NONE;
    return switch (write.verb()) {
      case INSERT -> TableTransactionActionType.CREATE;
      case REPLACE ->
          upsert
              ? TableTransactionActionType.UPSERT_REPLACE
              : TableTransactionActionType.UPDATE_REPLACE;
      case MERGE ->
          upsert
              ? TableTransactionActionType.UPSERT_MERGE
              : TableTransactionActionType.UPDATE_MERGE;
      case DELETE -> TableTransactionActionType.DELETE;
    };
  }

  @Override
  public Shown get(String table, String partition, int row) throws IOException {
    try {
      return new Shown(
          200, List.of(row(service.getTableClient(table).getEntity(partition, "r" + row))));
    } catch (HttpResponseException e) {
      return new Shown(status(e), List.of());
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  @Override
  public Shown page(String table, String partition) throws IOException {
    ListEntitiesOptions options =
        new ListEntitiesOptions().setFilter("PartitionKey eq '" + partition + "'");
    try {
      return new Shown(
          200,
          service.getTableClient(table).listEntities(options, null, null).stream()
              .map(SdkTables::row)
              .toList());
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  private static Row row(TableEntity entity) {
    int a = entity.getProperty("a") instanceof Integer number ? number : 0;
    int b = entity.getProperty("b") instanceof Integer number ? number : 0;
    return new Row(
        Integer.parseInt(entity.getRowKey().substring(1)), TableWrite.cell(a, b), entity.getETag());
  }

  private static int status(HttpResponseException e) throws IOException {
    int status = e.getResponse().getStatusCode();
    if (status >= 500) {
      throw new IOException(e);
    }
    return status;
  }

  @Override
  public void close() {}
}
