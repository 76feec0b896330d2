package io.lazuli.client.table;

import com.azure.core.http.rest.PagedFlux;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import io.lazuli.client.entity.EntityKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests through the asynchronous client. */
record AsyncRequests(TableAsyncClient client) implements Requests {
  @Override
  public String tableName() {
    return client.getTableName();
  }

  @Override
  public String endpoint() {
    return client.getTableEndpoint();
  }

  @Override
  public Mono<TableEntity> get(EntityKey key) {
    return client.getEntity(key.partitionKey(), key.rowKey());
  }

  @Override
  public Mono<Response<Void>> create(TableEntity entity) {
    return client.createEntityWithResponse(entity);
  }

  @Override
  public Mono<Response<Void>> upsert(TableEntity entity, TableEntityUpdateMode mode) {
    return client.upsertEntityWithResponse(entity, mode);
  }

  @Override
  public Mono<Response<Void>> update(
      TableEntity entity, TableEntityUpdateMode mode, boolean checked) {
    return client.updateEntityWithResponse(entity, mode, checked);
  }

  @Override
  public Mono<Response<Void>> delete(TableEntity entity, boolean checked) {
    return client.deleteEntityWithResponse(entity, checked);
  }

  @Override
  public Flux<PagedResponse<TableEntity>> pages(
      ListEntitiesOptions options, @Nullable String token) {
    PagedFlux<TableEntity> pages = client.listEntities(options);
    return token == null ? pages.byPage() : pages.byPage(token);
  }

  @Override
  public Mono<Void> submit(List<TableTransactionAction> actions) {
    return client.submitTransaction(actions).then();
  }
}
