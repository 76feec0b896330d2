package io.lazuli.server.table.protocol;

import io.lazuli.server.error.Invariant;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.http.Response;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.ETag;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.EntityFound;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.table.service.TableOutcome.NextKey;
import io.lazuli.server.table.service.TableOutcome.QueryCost;
import io.lazuli.server.table.service.TableOutcome.Refused;
import io.lazuli.server.table.service.TableOutcome.TableCreated;
import io.lazuli.server.table.service.TableOutcome.TableDeleted;
import io.lazuli.server.table.service.TableOutcome.TableFound;
import io.lazuli.server.table.service.TableOutcome.TablePage;
import io.lazuli.server.table.service.TableOutcome.Written;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Encodes outcomes as responses. The layers below see only outcomes, never the text of a response.
 */
final class OutcomeEncoder {
  /** The approximate size of an entity as JSON, for the initial size of a buffer. */
  private static final int ENTITY_JSON_BYTES = 1024;

  /** The maximum initial size of the buffer for a page. */
  private static final int PAGE_BUFFER_BYTES = AnswerBuffer.PIECE_BYTES + (8 << 10);

  private OutcomeEncoder() {}

  /** Encodes the answer to a request that is not part of a batch. */
  static Response encode(RoutedRequest routed, TableOutcome outcome) {
    TableRoute route = routed.route();
    TableRequest request = routed.wire();
    if (outcome instanceof Refused refused) {
      throw refused.reason();
    }
    return switch (route) {
      case QUERY_ENTITY -> entity(request, (EntityFound) outcome);
      case QUERY_ENTITIES -> page(routed, (EntityPage) outcome);
      case INSERT_ENTITY,
          UPDATE_ENTITY,
          INSERT_OR_REPLACE_ENTITY,
          MERGE_ENTITY,
          INSERT_OR_MERGE_ENTITY,
          DELETE_ENTITY -> {
        Written written = (Written) outcome;
        yield written(route, request, written.table(), written.entities().get(0));
      }
      case QUERY_TABLES -> tables(routed, (TablePage) outcome);
      case QUERY_TABLE -> table(request, (TableFound) outcome);
      case CREATE_TABLE -> created(request, ((TableCreated) outcome).name());
      case DELETE_TABLE -> deleted(outcome);
      case ENTITY_GROUP_TRANSACTION,
          GET_TABLE_ACL,
          SET_TABLE_ACL,
          OTHER_TABLE_ACL,
          GET_TABLE_SERVICE_PROPERTIES,
          SET_TABLE_SERVICE_PROPERTIES,
          GET_TABLE_SERVICE_STATS,
          TABLE_PREFLIGHT_REQUEST ->
          throw new IllegalStateException(route + " is answered elsewhere");
    };
  }

  /** Encodes the answer to one successful write, whether it was sent alone or in a batch. */
  static Response written(
      TableRoute route, TableRequest request, String table, StoredEntity entity) {
    if (route == TableRoute.INSERT_ENTITY) {
      return inserted(request, table, entity);
    }
    Response.Builder response = odata(204);
    if (route != TableRoute.DELETE_ENTITY) {
      response.header("ETag", etag(entity));
    }
    return response.build();
  }

  private static Response table(TableRequest request, TableFound found) {
    byte[] body = new TableWriter(request).single(found.name());
    return odata(200).body(request.level().contentType(), body).build();
  }

  private static Response deleted(TableOutcome outcome) {
    Invariant.check(outcome instanceof TableDeleted, "the operation has an unexpected outcome");
    return odata(204).build();
  }

  static Response entity(TableRequest request, EntityFound found) {
    MetadataLevel level = request.level();
    byte[] body =
        writer(request, found.table(), level, request.projection(), ENTITY_JSON_BYTES)
            .single(found.entity());
    return odata(200).header("ETag", etag(found.entity())).body(level.contentType(), body).build();
  }

  private static Response inserted(TableRequest request, String table, StoredEntity entity) {
    Preference preference = request.preference();
    Response.Builder response = made(preference);
    if (preference != Preference.NO_CONTENT) {
      MetadataLevel level = request.level();
      byte[] body = writer(request, table, level, Projection.ALL, ENTITY_JSON_BYTES).single(entity);
      response.body(level.contentType(), body);
    }
    link(response, preference, request.base() + "/" + EntityWriter.path(table, entity));
    return response.header("ETag", etag(entity)).build();
  }

  private static Response created(TableRequest request, String name) {
    Preference preference = request.preference();
    Response.Builder response = made(preference);
    if (preference != Preference.NO_CONTENT) {
      byte[] body = new TableWriter(request).single(name);
      response.body(request.level().contentType(), body);
    }
    link(response, preference, request.base() + "/" + TableWriter.path(name));
    return response.build();
  }

  /** Starts the answer to Create Table or Insert Entity (table-rest 3.2). */
  private static Response.Builder made(Preference preference) {
    Response.Builder response = odata(preference == Preference.NO_CONTENT ? 204 : 201);
    String applied = preference.applied();
    return applied == null ? response : response.header("Preference-Applied", applied);
  }

  private static void link(Response.Builder response, Preference preference, String location) {
    response.header("Location", location);
    if (preference == Preference.NO_CONTENT) {
      response.header("DataServiceId", location);
    }
  }

  private static Response page(RoutedRequest routed, EntityPage page) {
    TableRequest request = routed.wire();
    MetadataLevel level = request.level();
    List<StoredEntity> entities = page.entities();
    int capacity = Math.min(256 + ENTITY_JSON_BYTES * entities.size(), PAGE_BUFFER_BYTES);
    EntityWriter writer = writer(request, page.table(), level, request.projection(), capacity);
    int[] shown = new int[1];
    AnswerBuffer body =
        AnswerBuffer.encode(
            routed.request().answers(), out -> shown[0] = writer.page(entities, out));
    QueryCost cost = page.cost();
    routed.request().details().plan(cost.plan(), cost.entitiesRead(), shown[0]);
    Response.Builder response = odata(200);
    NextKey next = shown[0] < entities.size() ? keyOf(entities.get(shown[0])) : page.next();
    if (next != null) {
      response.header(
          "x-ms-continuation-NextPartitionKey", ContinuationToken.encode(next.partition()));
      byte[] row = next.row();
      if (row != null) {
        response.header("x-ms-continuation-NextRowKey", ContinuationToken.encode(row));
      }
    }
    return response
        .header("x-lazuli-plan", cost.plan() + "; read=" + cost.entitiesRead())
        .body(level.contentType(), body)
        .build();
  }

  private static NextKey keyOf(StoredEntity entity) {
    return new NextKey(entity.partition(), entity.row());
  }

  private static Response tables(RoutedRequest routed, TablePage page) {
    TableRequest request = routed.wire();
    List<String> names = page.names();
    int[] shown = new int[1];
    AnswerBuffer body =
        AnswerBuffer.encode(
            routed.request().answers(),
            out -> shown[0] = new TableWriter(request).page(names, out));
    Response.Builder response = odata(200);
    String next =
        shown[0] < names.size() ? names.get(shown[0]).toLowerCase(Locale.ROOT) : page.next();
    if (next != null) {
      byte[] key = next.getBytes(StandardCharsets.US_ASCII);
      response.header("x-ms-continuation-NextTableName", ContinuationToken.encode(key));
    }
    return response.body(request.level().contentType(), body).build();
  }

  private static EntityWriter writer(
      TableRequest request,
      String table,
      MetadataLevel level,
      Projection projection,
      int capacity) {
    return new EntityWriter(request.base(), request.account(), table, level, projection, capacity);
  }

  private static String etag(StoredEntity entity) {
    return ETag.text(EntityCodec.ticks(entity.record()));
  }

  private static Response.Builder odata(int status) {
    return Response.of(status)
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-cache");
  }
}
