package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobFound;
import io.lazuli.server.blob.service.BlobOutcome.BlobLeased;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.BlobPut;
import io.lazuli.server.blob.service.BlobOutcome.BlockAppended;
import io.lazuli.server.blob.service.BlobOutcome.BlockPut;
import io.lazuli.server.blob.service.BlobOutcome.BlocksFound;
import io.lazuli.server.blob.service.BlobOutcome.ContainerAccess;
import io.lazuli.server.blob.service.BlobOutcome.ContainerChanged;
import io.lazuli.server.blob.service.BlobOutcome.ContainerFound;
import io.lazuli.server.blob.service.BlobOutcome.ContainerLeased;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.SnapshotTaken;
import io.lazuli.server.blob.service.BlobOutcome.TagsFound;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.settings.AccessPolicyXml;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes answers with the headers that SDKs wait for (blob-rest 3.3); content is not among them.
 */
final class OutcomeEncoder {
  private static final String ENCRYPTED = "x-ms-request-server-encrypted";

  private final BlobRoute route;
  private final Request request;

  OutcomeEncoder(BlobRoute route, Request request) {
    this.route = route;
    this.request = request;
  }

  Response encode(BlobOperation operation, BlobOutcome outcome) {
    if (outcome instanceof BlobFound found) {
      return properties(found);
    } else if (outcome instanceof BlobChanged changed) {
      return changed(changed.properties(), null);
    } else if (outcome instanceof BlobPut put) {
      return changed(put.properties(), put.checksums());
    } else if (outcome instanceof BlockPut put) {
      Response.Builder out = Response.of(201).header(ENCRYPTED, "true");
      bodyChecksum(out, put.checksums());
      return out.build();
    } else if (outcome instanceof BlockAppended appended) {
      return appended(appended);
    } else if (outcome instanceof SnapshotTaken taken) {
      return with(201, taken.properties().changedTicks())
          .header("x-ms-snapshot", SnapshotTime.text(taken.snapshotTicks()))
          .header(ENCRYPTED, "false")
          .build();
    } else if (outcome instanceof BlobLeased leased
        && operation instanceof BlobOperation.LeaseBlob lease) {
      BlobProperties blob = leased.properties();
      return leased(lease.lease(), blob.changedTicks(), blob.lease().id(), leased.secondsLeft());
    } else if (outcome instanceof TagsFound found) {
      return xml(Response.of(200), TagsXml.write(found.tags()));
    } else if (outcome instanceof BlocksFound found) {
      return blocks(found);
    } else if (outcome instanceof BlobPage page) {
      return blobPage((BlobOperation.ListBlobs) operation, page);
    }
    return ofContainer(operation, outcome);
  }

  private Response ofContainer(BlobOperation operation, BlobOutcome outcome) {
    if (outcome instanceof ContainerFound found) {
      return container(found);
    } else if (outcome instanceof ContainerChanged changed) {
      int status = route == BlobRoute.CREATE_CONTAINER ? 201 : 200;
      return with(status, changed.properties().changedTicks()).build();
    } else if (outcome instanceof ContainerAccess access) {
      Response.Builder out = with(200, access.properties().changedTicks());
      new BlobAnswerHeaders(out).publicAccess(access.properties().publicAccess());
      return xml(out, AccessPolicyXml.write(access.policies()));
    } else if (outcome instanceof ContainerLeased leased
        && operation instanceof BlobOperation.LeaseContainer lease) {
      ContainerProperties container = leased.properties();
      return leased(
          lease.lease(), container.changedTicks(), container.lease().id(), leased.secondsLeft());
    } else if (outcome instanceof ContainerPage page) {
      QueryParameters asked = new QueryParameters(request.query());
      return xml(Response.of(200), ContainerListXml.write(page, asked, request.address()));
    }
    return done();
  }

  private Response done() {
    return switch (route) {
      case DELETE_CONTAINER -> Response.of(202).build();
      case DELETE_BLOB -> Response.of(202).header("x-ms-delete-type-permanent", "true").build();
      case SET_TAGS -> Response.of(204).build();
      default -> Response.of(200).build();
    };
  }

  private Response container(ContainerFound found) {
    Response.Builder out = Response.of(200);
    BlobAnswerHeaders headers = new BlobAnswerHeaders(out);
    if (route == BlobRoute.CONTAINER_METADATA) {
      headers.changed(found.properties().changedTicks()).metadata(found.properties().metadata());
    } else {
      headers.container(found.properties(), found.now());
    }
    return out.build();
  }

  private Response properties(BlobFound found) {
    if (route == BlobRoute.BLOB_METADATA) {
      Response.Builder out = with(200, found.properties().changedTicks());
      new BlobAnswerHeaders(out).metadata(found.properties().metadata());
      return out.build();
    }
    return new ContentAnswer(request).head(found);
  }

  private Response changed(BlobProperties blob, @Nullable Checksums checksums) {
    return switch (route) {
      case PUT_BLOB, PUT_BLOB_FROM_URL -> put(blob, checksums);
      case PUT_BLOCK_LIST -> with(201, blob.changedTicks()).header(ENCRYPTED, "true").build();
      case SET_BLOB_METADATA -> with(200, blob.changedTicks()).header(ENCRYPTED, "true").build();
      case SET_BLOB_PROPERTIES -> with(200, blob.changedTicks()).build();
      case SEAL -> with(200, blob.changedTicks()).header("x-ms-blob-sealed", "true").build();
      case COPY_BLOB -> copied(blob, checksums);
      default -> done();
    };
  }

  private Response put(BlobProperties blob, @Nullable Checksums checksums) {
    Response.Builder out = with(201, blob.changedTicks()).header(ENCRYPTED, "true");
    if (checksums != null && blob.type() == BlobType.BLOCK) {
      out.header("Content-MD5", checksums.requireMd5())
          .header("x-ms-content-crc64", checksums.requireCrc64());
    }
    return out.build();
  }

  private Response copied(BlobProperties blob, @Nullable Checksums checksums) {
    Response.Builder out = with(202, blob.changedTicks());
    CopyProperties copy = blob.copy();
    if (copy != null) {
      out.header("x-ms-copy-id", copy.id().toString())
          .header("x-ms-copy-status", copy.status().text());
    }
    if (new BlobRequestHeaders(request.headers()).flag("x-ms-requires-sync")) {
      out.header(ENCRYPTED, "true");
      if (checksums != null) {
        out.header("x-ms-content-crc64", checksums.requireCrc64());
      }
    }
    return out.build();
  }

  private Response appended(BlockAppended appended) {
    BlobProperties blob = appended.properties();
    Response.Builder out =
        with(201, blob.changedTicks())
            .header("x-ms-blob-append-offset", Long.toString(appended.offset()))
            .header("x-ms-blob-committed-block-count", Integer.toString(blob.content().blocks()))
            .header(ENCRYPTED, "true");
    bodyChecksum(out, appended.checksums());
    return out.build();
  }

  /** The one checksum that was made: {@link BodyDigest#answering}. */
  static void bodyChecksum(Response.Builder out, Checksums checksums) {
    String md5 = checksums.md5();
    if (md5 != null) {
      out.header("Content-MD5", md5);
    } else {
      out.header("x-ms-content-crc64", checksums.requireCrc64());
    }
  }

  private static Response leased(
      LeaseAction action, long changedTicks, @Nullable UUID id, int secondsLeft) {
    if (action instanceof LeaseAction.Break) {
      return with(202, changedTicks)
          .header("x-ms-lease-time", Integer.toString(secondsLeft))
          .build();
    }
    Response.Builder out = with(action instanceof LeaseAction.Acquire ? 201 : 200, changedTicks);
    if (id != null) {
      out.header("x-ms-lease-id", id.toString());
    }
    return out.build();
  }

  private static Response blocks(BlocksFound found) {
    Response.Builder out = Response.of(200);
    BlobProperties blob = found.properties();
    if (blob != null) {
      new BlobAnswerHeaders(out).changed(blob.changedTicks());
      out.header("x-ms-blob-content-length", Long.toString(blob.content().length()));
    }
    return xml(out, BlockListXml.write(found));
  }

  private Response blobPage(BlobOperation.ListBlobs list, BlobPage page) {
    QueryParameters asked = new QueryParameters(request.query());
    String base = request.address().base();
    return xml(Response.of(200), BlobListXml.write(page, asked, base, list.container().text()));
  }

  private static Response.Builder with(int status, long changedTicks) {
    Response.Builder out = Response.of(status);
    new BlobAnswerHeaders(out).changed(changedTicks);
    return out;
  }

  private static Response xml(Response.Builder out, byte[] document) {
    return out.body("application/xml", document).build();
  }
}
