package io.lazuli.client.table;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import io.lazuli.client.entity.EntityKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The requests to one table, sent through one of the two clients of the SDK. Each is sent when its
 * result is subscribed to. The Reactor context becomes the context of the SDK.
 */
interface Requests {
  static Requests of(TableAsyncClient client) {
    return new AsyncRequests(client);
  }

  static Requests of(TableClient client) {
    return new BlockingRequests(client);
  }

  String tableName();

  String endpoint();

  Mono<TableEntity> get(EntityKey key);

  Mono<Response<Void>> create(TableEntity entity);

  Mono<Response<Void>> upsert(TableEntity entity, TableEntityUpdateMode mode);

  /**
   * Replaces or merges an entity.
   *
   * @param checked whether the stored entity must have the ETag that the entity carries
   */
  Mono<Response<Void>> update(TableEntity entity, TableEntityUpdateMode mode, boolean checked);

  /** Deletes an entity. See {@link #update}. */
  Mono<Response<Void>> delete(TableEntity entity, boolean checked);

  /**
   * Returns the pages of a query, one request for each.
   *
   * @param token where to continue; null for the first page
   */
  Flux<PagedResponse<TableEntity>> pages(ListEntitiesOptions options, @Nullable String token);

  Mono<Void> submit(List<TableTransactionAction> actions);
}
