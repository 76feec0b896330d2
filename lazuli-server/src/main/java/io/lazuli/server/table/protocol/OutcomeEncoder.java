package io.lazuli.server.table.protocol;

import io.lazuli.server.http.Response;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.ETag;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.EntityFound;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.table.service.TableOutcome.NextKey;
import io.lazuli.server.table.service.TableOutcome.Refused;
import io.lazuli.server.table.service.TableOutcome.TableCreated;
import io.lazuli.server.table.service.TableOutcome.TableFound;
import io.lazuli.server.table.service.TableOutcome.TablePage;
import io.lazuli.server.table.service.TableOutcome.Written;
import java.nio.charset.StandardCharsets;

/** Turns outcomes into responses; all text formats of answers begin here. */
final class OutcomeEncoder {
  /** What one entity takes as JSON, roughly, for the first size of a buffer. */
  private static final int ENTITY_JSON_BYTES = 1024;

  private OutcomeEncoder() {}

  static Response encode(TableRequest request, TableOperation operation, TableOutcome outcome) {
    if (outcome instanceof EntityFound found) {
      return entity(request, found);
    } else if (outcome instanceof Written written) {
      EntityWrite write = ((WriteEntities) operation).writes().get(0);
      return written(request, write, written.table(), written.entities().get(0));
    } else if (outcome instanceof Refused refused) {
      throw refused.reason();
    } else if (outcome instanceof EntityPage page) {
      return page(request, page);
    } else if (outcome instanceof TablePage page) {
      return tables(request, page);
    } else if (outcome instanceof TableFound found) {
      byte[] body = new TableWriter(request).single(found.name());
      return odata(200).body(request.level().contentType(), body).build();
    } else if (outcome instanceof TableCreated created) {
      return created(request, created.name());
    }
    return odata(204).build();
  }

  /** The answer to one write that took place, alone or in a batch. */
  static Response written(
      TableRequest request, EntityWrite write, String table, StoredEntity entity) {
    if (write instanceof EntityWrite.Insert) {
      return inserted(request, table, entity);
    }
    Response.Builder response = odata(204);
    if (!(write instanceof EntityWrite.Delete)) {
      response.header("ETag", etag(entity));
    }
    return response.build();
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

  /** The head of an answer to a creation (table-rest 3.2). */
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

  private static Response page(TableRequest request, EntityPage page) {
    MetadataLevel level = request.level();
    int capacity = 256 + ENTITY_JSON_BYTES * page.entities().size();
    byte[] body =
        writer(request, page.table(), level, request.projection(), capacity).page(page.entities());
    Response.Builder response = odata(200);
    NextKey next = page.next();
    if (next != null) {
      response.header(
          "x-ms-continuation-NextPartitionKey", ContinuationToken.encode(next.partition()));
      byte[] row = next.row();
      if (row != null) {
        response.header("x-ms-continuation-NextRowKey", ContinuationToken.encode(row));
      }
    }
    return response
        .header("x-lazuli-plan", page.cost().plan() + "; read=" + page.cost().entitiesRead())
        .body(level.contentType(), body)
        .build();
  }

  private static Response tables(TableRequest request, TablePage page) {
    byte[] body = new TableWriter(request).page(page.names());
    Response.Builder response = odata(200);
    String next = page.next();
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
