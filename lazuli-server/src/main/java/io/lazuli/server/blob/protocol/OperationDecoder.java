package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.AccessTier;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.LeaseRequest;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteSnapshot;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.LeaseBlob;
import io.lazuli.server.blob.service.BlobOperation.LeaseContainer;
import io.lazuli.server.blob.service.BlobOperation.ReadBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReadContainer;
import io.lazuli.server.blob.service.BlobOperation.ReadContainerAccess;
import io.lazuli.server.blob.service.BlobOperation.ReadProperties;
import io.lazuli.server.blob.service.BlobOperation.ReadTags;
import io.lazuli.server.blob.service.BlobOperation.ReplaceContainerMetadata;
import io.lazuli.server.blob.service.BlobOperation.ReplaceHttp;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.Seal;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOperation.TakeSnapshot;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns what came over the wire into operations; all text formats of requests end here and in the
 * decoders of bodies, copies and lists.
 */
final class OperationDecoder {
  private final Request request;
  private final CutPath path;
  private final QueryParameters parameters;
  private final BlobRequestHeaders headers;

  OperationDecoder(Request request, CutPath path) {
    this.request = request;
    this.path = path;
    this.parameters = new QueryParameters(request.query());
    this.headers = new BlobRequestHeaders(request.headers());
  }

  BlobOperation decode(BlobRoute route) {
    return switch (route) {
      case LIST_CONTAINERS ->
          new ListParameters(parameters).containers(request.address().account());
      case CREATE_CONTAINER ->
          new CreateContainer(
              ContainerName.requireNew(path.first()), headers.metadata(), publicAccess());
      case DELETE_CONTAINER -> new DeleteContainer(container(), headers.containerTerms());
      case CONTAINER_PROPERTIES, CONTAINER_METADATA ->
          new ReadContainer(container(), headers.leaseId());
      case SET_CONTAINER_METADATA ->
          new ReplaceContainerMetadata(container(), headers.metadata(), headers.containerTerms());
      case CONTAINER_ACCESS -> new ReadContainerAccess(container(), headers.leaseId());
      case LEASE_CONTAINER ->
          new LeaseContainer(container(), lease(), headers.containerConditions());
      case LIST_BLOBS -> new ListParameters(parameters).blobs(container());
      default -> onBlob(route);
    };
  }

  private BlobOperation onBlob(BlobRoute route) {
    BlobAddress at = at();
    return switch (route) {
      case GET_BLOB ->
          new GetBlob(
              at,
              snapshot(),
              ByteRange.parse(request.header("x-ms-range"), request.header("Range")),
              headers.terms(Conditions.Use.READ));
      case BLOB_PROPERTIES, BLOB_METADATA ->
          new ReadProperties(at, snapshot(), headers.terms(Conditions.Use.READ));
      case BLOCK_LIST -> blockList(at);
      case TAGS -> new ReadTags(at, snapshot(), headers.leaseId());
      case DELETE_BLOB -> delete(at);
      default -> {
        requireBase();
        yield change(route, at);
      }
    };
  }

  private BlobOperation change(BlobRoute route, BlobAddress at) {
    return switch (route) {
      case SET_BLOB_METADATA -> new ReplaceMetadata(at, headers.metadata(), write());
      case SET_BLOB_PROPERTIES -> replaceHttp(at);
      case SEAL -> new Seal(at, headers.number("x-ms-blob-condition-appendpos"), write());
      case SNAPSHOT -> new TakeSnapshot(at, headers.metadataIfAny(), write());
      case LEASE_BLOB -> new LeaseBlob(at, lease(), headers.conditions(Conditions.Use.WRITE));
      case SET_TIER ->
          new SetTier(
              at, AccessTier.require(headers.require("x-ms-access-tier")), headers.leaseId());
      default -> throw new IllegalStateException(route + " has a decoder of its own");
    };
  }

  ContainerName container() {
    return ContainerName.require(path.first());
  }

  BlobAddress at() {
    return new BlobAddress(container(), BlobName.require(Objects.requireNonNull(path.rest())));
  }

  PublicAccess publicAccess() {
    return PublicAccess.require(headers.text("x-ms-blob-public-access"));
  }

  BlobRequestHeaders headers() {
    return headers;
  }

  QueryParameters parameters() {
    return parameters;
  }

  private RequestTerms write() {
    return headers.terms(Conditions.Use.WRITE);
  }

  /** Snapshots do not change. */
  void requireBase() {
    if (snapshot() != null) {
      throw BlobErrors.INVALID_OPERATION.exception();
    }
  }

  private @Nullable Long snapshot() {
    if (parameters.has("versionid")) {
      throw parameters.has("snapshot")
          ? BlobErrors.MUTUALLY_EXCLUSIVE_PARAMETERS.exception()
          : CommonErrors.NOT_IMPLEMENTED.exception();
    }
    return parameters.has("snapshot")
        ? SnapshotTime.requireParameter(parameters.text("snapshot"))
        : null;
  }

  private BlobOperation delete(BlobAddress at) {
    String said = headers.text("x-ms-delete-snapshots");
    Long snapshot = snapshot();
    if (snapshot == null) {
      return new DeleteBlob(at, deletedSnapshots(said), write());
    }
    if (said != null) {
      throw parameters.invalid("snapshot", "");
    }
    return new DeleteSnapshot(at, snapshot, write());
  }

  private static DeletedSnapshots deletedSnapshots(@Nullable String said) {
    if (said == null) {
      return DeletedSnapshots.NOT_SAID;
    }
    return switch (said.toLowerCase(Locale.ROOT)) {
      case "include" -> DeletedSnapshots.INCLUDE;
      case "only" -> DeletedSnapshots.ONLY;
      default -> throw BlobRequestHeaders.invalid("x-ms-delete-snapshots", said);
    };
  }

  private BlobOperation blockList(BlobAddress at) {
    String type = parameters.text("blocklisttype").toLowerCase(Locale.ROOT);
    boolean all = type.equals("all");
    boolean uncommitted = all || type.equals("uncommitted");
    boolean committed = all || type.equals("committed") || type.isEmpty();
    if (!committed && !uncommitted) {
      throw parameters.invalid("blocklisttype", "");
    }
    return new ReadBlockList(at, snapshot(), committed, uncommitted, headers.leaseId());
  }

  /** What belongs to page blobs is no property of others. */
  private BlobOperation replaceHttp(BlobAddress at) {
    for (String name : new String[] {"x-ms-blob-content-length", "x-ms-sequence-number-action"}) {
      String value = headers.text(name);
      if (value != null) {
        throw BlobRequestHeaders.invalid(name, value);
      }
    }
    return new ReplaceHttp(at, headers.http(), write());
  }

  private LeaseAction lease() {
    return new LeaseRequest(
            headers.text("x-ms-lease-action"),
            headers.text("x-ms-lease-id"),
            headers.text("x-ms-proposed-lease-id"),
            headers.text("x-ms-lease-duration"),
            headers.text("x-ms-lease-break-period"))
        .toAction(UUID::randomUUID);
  }
}
