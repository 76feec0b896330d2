package io.lazuli.client.table;

import com.azure.core.http.rest.PagedIterable;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.http.rest.Response;
import com.azure.core.util.Context;
import com.azure.core.util.FluxUtil;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import io.lazuli.client.entity.EntityKey;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Requests through the blocking client, each on a thread of Reactor's elastic pool. The SDK does
 * not give access to the pipeline of a client, so no asynchronous client can be made of it.
 */
record BlockingRequests(TableClient client) implements Requests {
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
    return call(context ->
            client.getEntityWithResponse(key.partitionKey(), key.rowKey(), null, null, context))
        .map(Response::getValue);
  }

  @Override
  public Mono<Response<Void>> create(TableEntity entity) {
    return call(context -> client.createEntityWithResponse(entity, null, context));
  }

  @Override
  public Mono<Response<Void>> upsert(TableEntity entity, TableEntityUpdateMode mode) {
    return call(context -> client.upsertEntityWithResponse(entity, mode, null, context));
  }

  @Override
  public Mono<Response<Void>> update(
      TableEntity entity, TableEntityUpdateMode mode, boolean checked) {
    return call(context -> client.updateEntityWithResponse(entity, mode, checked, null, context));
  }

  @Override
  public Mono<Response<Void>> delete(TableEntity entity, boolean checked) {
    return call(context -> client.deleteEntityWithResponse(entity, checked, null, context));
  }

  @Override
  public Flux<PagedResponse<TableEntity>> pages(
      ListEntitiesOptions options, @Nullable String token) {
    return FluxUtil.fluxContext(context -> Flux.fromIterable(pages(options, token, context)))
        .subscribeOn(Schedulers.boundedElastic());
  }

  private Iterable<PagedResponse<TableEntity>> pages(
      ListEntitiesOptions options, @Nullable String token, Context context) {
    PagedIterable<TableEntity> pages = client.listEntities(options, null, context);
    return token == null ? pages.iterableByPage() : pages.iterableByPage(token);
  }

  @Override
  public Mono<Void> submit(List<TableTransactionAction> actions) {
    return call(context -> client.submitTransactionWithResponse(actions, null, context)).then();
  }

  private static <R> Mono<R> call(Function<Context, R> request) {
    return FluxUtil.withContext(context -> Mono.fromCallable(() -> request.apply(context)))
        .subscribeOn(Schedulers.boundedElastic());
  }
}
