package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobDeleted;
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
import io.lazuli.server.blob.service.BlobOutcome.Done;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlobs;
import io.lazuli.server.blob.service.BlobOutcome.PageRangesFound;
import io.lazuli.server.blob.service.BlobOutcome.PagesPut;
import io.lazuli.server.blob.service.BlobOutcome.SnapshotTaken;
import io.lazuli.server.blob.service.BlobOutcome.TagsFound;
import io.lazuli.server.error.Invariant;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.http.Response;
import io.lazuli.server.settings.AccessPolicyXml;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes outcomes as responses with the headers that SDKs expect (blob-rest 3.3). {@link
 * ContentAnswer} encodes content.
 */
final class OutcomeEncoder {
  private static final String ENCRYPTED = "x-ms-request-server-encrypted";

  private final BlobRequest request;

  OutcomeEncoder(BlobRequest request) {
    this.request = request;
  }

  Response encode(BlobOutcome outcome) {
    return switch (request.route()) {
      case LIST_CONTAINERS -> containerPage((ContainerPage) outcome);
      case CREATE_CONTAINER -> changed(201, (ContainerChanged) outcome);
      case SET_CONTAINER_METADATA, SET_CONTAINER_ACL -> changed(200, (ContainerChanged) outcome);
      case DELETE_CONTAINER -> done(202, outcome).build();
      case RESTORE_CONTAINER -> done(201, outcome).build();
      case GET_CONTAINER_PROPERTIES -> containerProperties((ContainerFound) outcome);
      case GET_CONTAINER_METADATA -> containerMetadata((ContainerFound) outcome);
      case GET_CONTAINER_ACL -> containerAccess((ContainerAccess) outcome);
      case ACQUIRE_CONTAINER_LEASE -> leased(201, (ContainerLeased) outcome);
      case RENEW_CONTAINER_LEASE, CHANGE_CONTAINER_LEASE, RELEASE_CONTAINER_LEASE ->
          leased(200, (ContainerLeased) outcome);
      case BREAK_CONTAINER_LEASE -> broken((ContainerLeased) outcome);
      case LIST_BLOBS -> blobPage((BlobPage) outcome);
      case FIND_BLOBS_BY_TAGS, FIND_BLOBS_IN_CONTAINER -> foundBlobs((FoundBlobs) outcome);
      case GET_BLOB_PROPERTIES -> new ContentAnswer(request.request()).head((BlobFound) outcome);
      case GET_BLOB_METADATA -> blobMetadata((BlobFound) outcome);
      case GET_BLOCK_LIST -> blocks((BlocksFound) outcome);
      case GET_BLOB_TAGS -> xml(Response.of(200), TagsXml.write(((TagsFound) outcome).tags()));
      case PUT_BLOB ->
          outcome instanceof BlobPut put ? put(put) : written(201, (BlobChanged) outcome);
      case PUT_BLOB_FROM_URL -> putFromUrl((BlobPut) outcome);
      case PUT_BLOCK, PUT_BLOCK_FROM_URL -> blockPut((BlockPut) outcome);
      case PUT_BLOCK_LIST -> written(201, (BlobChanged) outcome);
      case APPEND_BLOCK, APPEND_BLOCK_FROM_URL -> appended((BlockAppended) outcome);
      case COPY_BLOB -> copied(outcome);
      case DELETE_BLOB -> deleted((BlobDeleted) outcome);
      case UNDELETE_BLOB -> done(200, outcome).build();
      case SET_BLOB_METADATA -> written(200, (BlobChanged) outcome);
      case SET_BLOB_PROPERTIES -> numbered(200, ((BlobChanged) outcome).properties()).build();
      case PUT_PAGE -> pagesPut((PagesPut) outcome);
      case CLEAR_PAGE -> numbered(201, ((BlobChanged) outcome).properties()).build();
      case GET_PAGE_RANGES -> pageRanges((PageRangesFound) outcome);
      case SET_BLOB_TAGS -> Response.of(204).build();
      case ABORT_COPY_BLOB -> done(204, outcome).build();
      case SET_BLOB_TIER -> tierSet((BlobChanged) outcome);
      case SET_BLOB_EXPIRY -> changed(200, (BlobChanged) outcome).build();
      case SET_IMMUTABILITY_POLICY -> policySet((BlobChanged) outcome);
      case DELETE_IMMUTABILITY_POLICY -> Response.of(200).build();
      case SET_LEGAL_HOLD -> holdSet((BlobChanged) outcome);
      case APPEND_BLOB_SEAL ->
          changed(200, (BlobChanged) outcome).header("x-ms-blob-sealed", "true").build();
      case SNAPSHOT_BLOB -> snapshotTaken((SnapshotTaken) outcome);
      case ACQUIRE_BLOB_LEASE -> leased(201, (BlobLeased) outcome);
      case RENEW_BLOB_LEASE, CHANGE_BLOB_LEASE, RELEASE_BLOB_LEASE ->
          leased(200, (BlobLeased) outcome);
      case BREAK_BLOB_LEASE -> broken((BlobLeased) outcome);
      case GET_BLOB,
          UNKNOWN_CONTAINER_LEASE,
          UNKNOWN_BLOB_LEASE,
          GET_BLOB_SERVICE_PROPERTIES,
          SET_BLOB_SERVICE_PROPERTIES,
          GET_BLOB_SERVICE_STATS,
          READ_UNKNOWN_SETTING,
          CHANGE_UNKNOWN_SETTING,
          GET_ACCOUNT_INFORMATION,
          GET_USER_DELEGATION_KEY,
          SUBMIT_BATCH,
          BLOB_PREFLIGHT_REQUEST ->
          throw new IllegalStateException(request.route() + " is answered elsewhere");
    };
  }

  private static Response.Builder done(int status, BlobOutcome outcome) {
    Invariant.check(outcome instanceof Done, "the operation has an unexpected outcome");
    return Response.of(status);
  }

  private static Response deleted(BlobDeleted deleted) {
    return Response.of(202)
        .header("x-ms-delete-type-permanent", Boolean.toString(deleted.permanent()))
        .build();
  }

  private static Response changed(int status, ContainerChanged changed) {
    return with(status, changed.properties().changedTicks()).build();
  }

  private static Response.Builder changed(int status, BlobChanged changed) {
    return with(status, changed.properties().changedTicks());
  }

  /** Encodes a write that makes a version if the account has versions. */
  private static Response written(int status, BlobChanged changed) {
    Response.Builder out = changed(status, changed).header(ENCRYPTED, "true");
    new BlobAnswerHeaders(out).version(changed.properties());
    return out.build();
  }

  private static Response containerProperties(ContainerFound found) {
    Response.Builder out = Response.of(200);
    new BlobAnswerHeaders(out).container(found.properties(), found.immutability(), found.now());
    return out.build();
  }

  private static Response containerMetadata(ContainerFound found) {
    Response.Builder out = with(200, found.properties().changedTicks());
    new BlobAnswerHeaders(out).metadata(found.properties().metadata());
    return out.build();
  }

  private static Response containerAccess(ContainerAccess access) {
    Response.Builder out = with(200, access.properties().changedTicks());
    new BlobAnswerHeaders(out).publicAccess(access.properties().publicAccess());
    return xml(out, AccessPolicyXml.write(access.policies()));
  }

  private Response containerPage(ContainerPage page) {
    Address address = request.request().address();
    return xml(
        Response.of(200), out -> ContainerListXml.write(page, request.parameters(), address, out));
  }

  private Response foundBlobs(FoundBlobs page) {
    String base = request.request().address().base();
    return xml(Response.of(200), out -> FoundBlobsXml.write(page, request.parameters(), base, out));
  }

  private static Response blobMetadata(BlobFound found) {
    Response.Builder out = with(200, found.properties().changedTicks());
    new BlobAnswerHeaders(out).metadata(found.properties().metadata());
    return out.build();
  }

  private static Response put(BlobPut put) {
    BlobProperties blob = put.properties();
    Response.Builder out = with(201, blob.changedTicks()).header(ENCRYPTED, "true");
    new BlobAnswerHeaders(out).version(blob);
    if (blob.type() == BlobType.BLOCK) {
      out.header("Content-MD5", put.checksums().requireMd5())
          .header("x-ms-content-crc64", put.checksums().requireCrc64());
    }
    return out.build();
  }

  private static Response pagesPut(PagesPut put) {
    Response.Builder out = numbered(201, put.properties()).header(ENCRYPTED, "true");
    bodyChecksum(out, put.checksums());
    return out.build();
  }

  private Response pageRanges(PageRangesFound found) {
    BlobProperties blob = found.properties();
    Response.Builder out =
        with(200, blob.changedTicks())
            .header("x-ms-blob-content-length", Long.toString(blob.content().length()));
    return xml(out, answer -> PageListXml.write(found.found(), request.parameters(), answer));
  }

  /** Begins an answer; page blobs also have a sequence number. */
  private static Response.Builder numbered(int status, BlobProperties blob) {
    Response.Builder out = with(status, blob.changedTicks());
    new BlobAnswerHeaders(out).sequenceNumber(blob);
    return out;
  }

  private static Response putFromUrl(BlobPut put) {
    Response.Builder out = with(201, put.properties().changedTicks()).header(ENCRYPTED, "true");
    new BlobAnswerHeaders(out).version(put.properties());
    bodyChecksum(out, put.checksums());
    return out.build();
  }

  /** Encodes Set Blob Tier. A blob that leaves the archive is not in its new tier yet. */
  private static Response tierSet(BlobChanged changed) {
    boolean leaves = changed.properties().optional().rehydration() != null;
    return Response.of(leaves ? 202 : 200).build();
  }

  private static Response policySet(BlobChanged changed) {
    Response.Builder out = Response.of(200);
    new BlobAnswerHeaders(out).policy(changed.properties());
    return out.build();
  }

  private static Response holdSet(BlobChanged changed) {
    boolean hold = changed.properties().optional().legalHold();
    return Response.of(200).header(BlobRequestHeaders.LEGAL_HOLD, Boolean.toString(hold)).build();
  }

  private static Response blockPut(BlockPut put) {
    Response.Builder out = Response.of(201).header(ENCRYPTED, "true");
    bodyChecksum(out, put.checksums());
    return out.build();
  }

  /** Encodes a copy; only the answer to a synchronous copy has a checksum. */
  private Response copied(BlobOutcome outcome) {
    return outcome instanceof BlobPut put
        ? copied(put.properties(), put.checksums())
        : copied(((BlobChanged) outcome).properties(), null);
  }

  private Response copied(BlobProperties blob, @Nullable Checksums checksums) {
    Response.Builder out = with(202, blob.changedTicks());
    new BlobAnswerHeaders(out).version(blob);
    CopyProperties copy = blob.copy();
    if (copy != null) {
      out.header("x-ms-copy-id", copy.id().toString())
          .header("x-ms-copy-status", copy.status().text());
    }
    if (new BlobRequestHeaders(request.request().headers()).flag("x-ms-requires-sync")) {
      out.header(ENCRYPTED, "true");
      if (checksums != null) {
        bodyChecksum(out, checksums);
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

  /** Adds the checksums that were computed for the answer. */
  static void bodyChecksum(Response.Builder out, Checksums checksums) {
    BlobAnswerHeaders headers = new BlobAnswerHeaders(out);
    headers.set("Content-MD5", checksums.md5());
    headers.set("x-ms-content-crc64", checksums.crc64());
  }

  private static Response snapshotTaken(SnapshotTaken taken) {
    Response.Builder out =
        with(201, taken.properties().changedTicks())
            .header("x-ms-snapshot", SnapshotTime.text(taken.snapshotTicks()))
            .header(ENCRYPTED, "false");
    if (taken.versionTicks() != 0) {
      out.header("x-ms-version-id", SnapshotTime.text(taken.versionTicks()));
    }
    return out.build();
  }

  private static Response leased(int status, BlobLeased leased) {
    BlobProperties blob = leased.properties();
    return leased(status, blob.changedTicks(), blob.lease());
  }

  private static Response leased(int status, ContainerLeased leased) {
    ContainerProperties container = leased.properties();
    return leased(status, container.changedTicks(), container.lease());
  }

  private static Response leased(int status, long changedTicks, Lease lease) {
    Response.Builder out = with(status, changedTicks);
    UUID id = lease.id();
    if (id != null) {
      out.header("x-ms-lease-id", id.toString());
    }
    return out.build();
  }

  private static Response broken(BlobLeased leased) {
    return broken(leased.properties().changedTicks(), leased.secondsLeft());
  }

  private static Response broken(ContainerLeased leased) {
    return broken(leased.properties().changedTicks(), leased.secondsLeft());
  }

  private static Response broken(long changedTicks, int secondsLeft) {
    return with(202, changedTicks).header("x-ms-lease-time", Integer.toString(secondsLeft)).build();
  }

  private Response blocks(BlocksFound found) {
    Response.Builder out = Response.of(200);
    BlobProperties blob = found.properties();
    if (blob != null) {
      new BlobAnswerHeaders(out).changed(blob.changedTicks());
      out.header("x-ms-blob-content-length", Long.toString(blob.content().length()));
    }
    return xml(out, answer -> BlockListXml.write(found, answer));
  }

  private Response blobPage(BlobPage page) {
    String base = request.request().address().base();
    String container = request.path().first();
    return xml(
        Response.of(200),
        out -> BlobListXml.write(page, request.parameters(), base, container, out));
  }

  private static Response.Builder with(int status, long changedTicks) {
    Response.Builder out = Response.of(status);
    new BlobAnswerHeaders(out).changed(changedTicks);
    return out;
  }

  /** Encodes a document that may be long. */
  private Response xml(Response.Builder out, Consumer<AnswerBuffer> document) {
    AnswerBuffer body = AnswerBuffer.encode(request.request().answers(), document);
    return out.body("application/xml", body).build();
  }

  private static Response xml(Response.Builder out, byte[] document) {
    return out.body("application/xml", document).build();
  }
}
