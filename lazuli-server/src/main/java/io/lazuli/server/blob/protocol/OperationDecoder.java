package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.Expiry;
import io.lazuli.server.blob.request.LeaseRequest;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteSnapshot;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.Erase;
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
import io.lazuli.server.blob.service.BlobOperation.RestoreContainer;
import io.lazuli.server.blob.service.BlobOperation.Seal;
import io.lazuli.server.blob.service.BlobOperation.SetExpiry;
import io.lazuli.server.blob.service.BlobOperation.SetLegalHold;
import io.lazuli.server.blob.service.BlobOperation.SetPolicy;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOperation.TakeSnapshot;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.storage.Ticks;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decodes requests into operations, together with the decoders of uploads, copies and lists. The
 * layers below see only operations, never the text of a request.
 */
final class OperationDecoder {
  private static final String EXPIRY_TIME = "x-ms-expiry-time";

  private final BlobRequest request;
  private final CutPath path;
  private final QueryParameters parameters;
  private final BlobRequestHeaders headers;

  OperationDecoder(BlobRequest request) {
    this.request = request;
    this.path = request.path();
    this.parameters = request.parameters();
    this.headers = request.headers();
  }

  BlobOperation listContainers() {
    return new ListParameters(parameters).containers(request.request().address().account());
  }

  BlobOperation createContainer() {
    return new CreateContainer(
        ContainerName.requireNew(path.first()), headers.metadata(), publicAccess());
  }

  BlobOperation deleteContainer() {
    return new DeleteContainer(container(), headers.containerTerms());
  }

  BlobOperation restoreContainer() {
    return new RestoreContainer(
        ContainerName.requireNew(path.first()),
        headers.require("x-ms-deleted-container-name"),
        headers.require("x-ms-deleted-container-version").toUpperCase(Locale.ROOT));
  }

  BlobOperation readContainer() {
    return new ReadContainer(container(), headers.leaseId());
  }

  BlobOperation replaceContainerMetadata() {
    return new ReplaceContainerMetadata(container(), headers.metadata(), headers.containerTerms());
  }

  BlobOperation readContainerAccess() {
    return new ReadContainerAccess(container(), headers.leaseId());
  }

  BlobOperation leaseContainer() {
    return new LeaseContainer(container(), lease(), headers.containerConditions());
  }

  BlobOperation listBlobs() {
    return new ListParameters(parameters).blobs(container());
  }

  BlobOperation findBlobs() {
    return new SearchParameters(parameters).inAccount();
  }

  BlobOperation findBlobsInContainer() {
    return new SearchParameters(parameters).in(container());
  }

  BlobOperation getBlob() {
    Request asked = request.request();
    return new GetBlob(
        at(),
        state(),
        ByteRange.parse(asked.header("x-ms-range"), asked.header("Range")),
        headers.terms(Conditions.Use.READ));
  }

  BlobOperation readProperties() {
    return new ReadProperties(at(), state(), headers.terms(Conditions.Use.READ));
  }

  BlobOperation readTags() {
    return new ReadTags(at(), state(), headers.tagTerms(request.request(), Conditions.Use.READ));
  }

  BlobOperation replaceMetadata() {
    return new ReplaceMetadata(base(), headers.metadata(), write());
  }

  BlobOperation setPolicy() {
    return new SetPolicy(at(), state(), headers.requirePolicy(), headers.unmodifiedSince());
  }

  BlobOperation deletePolicy() {
    return new SetPolicy(at(), state(), null, Conditions.NONE);
  }

  BlobOperation setLegalHold() {
    headers.require(BlobRequestHeaders.LEGAL_HOLD);
    return new SetLegalHold(at(), state(), headers.legalHold());
  }

  BlobOperation seal() {
    return new Seal(
        base(),
        headers.number("x-ms-blob-condition-appendpos"),
        headers.termsWithoutTags(Conditions.Use.WRITE));
  }

  BlobOperation setExpiry() {
    return new SetExpiry(base(), expiry(), write());
  }

  private Expiry expiry() {
    String option = headers.require("x-ms-expiry-option");
    String time = headers.text(EXPIRY_TIME);
    if (option.equalsIgnoreCase("NeverExpire")) {
      if (time != null) {
        throw BlobRequestHeaders.invalid(EXPIRY_TIME, time);
      }
      return new Expiry.Never();
    }
    return switch (option.toLowerCase(Locale.ROOT)) {
      case "relativetonow" -> new Expiry.AfterNow(expiryMillis());
      case "relativetocreation" -> new Expiry.AfterCreation(expiryMillis());
      case "absolute" -> {
        String date = headers.require(EXPIRY_TIME);
        Instant instant = HttpDate.parse(date);
        if (instant == null) {
          throw BlobRequestHeaders.invalid(EXPIRY_TIME, date);
        }
        yield new Expiry.At(Ticks.of(instant));
      }
      default -> throw BlobRequestHeaders.invalid("x-ms-expiry-option", option);
    };
  }

  private long expiryMillis() {
    String text = headers.require(EXPIRY_TIME);
    return Objects.requireNonNull(headers.number(EXPIRY_TIME), text);
  }

  BlobOperation snapshotBlob() {
    return new TakeSnapshot(base(), headers.metadataIfAny(), write());
  }

  BlobOperation leaseBlob() {
    return new LeaseBlob(base(), lease(), headers.conditions(Conditions.Use.WRITE));
  }

  BlobOperation setTier() {
    return new SetTier(
        at(),
        state(),
        AccessTier.require(headers.require("x-ms-access-tier")),
        headers.rehydratePriority(),
        headers.leaseAndTags());
  }

  BlobRequest request() {
    return request;
  }

  ContainerName container() {
    return ContainerName.require(path.first());
  }

  BlobAddress at() {
    return BlobAddress.require(path.first(), Objects.requireNonNull(path.rest()));
  }

  /** Returns the blob; throws if the request names a snapshot. */
  BlobAddress base() {
    BlobAddress at = at();
    requireBase();
    return at;
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

  /**
   * Throws if the request names a snapshot or version, because they do not change (blob-features
   * 3.3).
   */
  void requireBase() {
    NamedState state = state();
    if (state != null && state.isSnapshot()) {
      throw BlobErrors.INVALID_OPERATION.exception();
    } else if (state != null) {
      throw notOfVersion();
    }
  }

  private ServiceException notOfVersion() {
    return parameters.invalid(
        "versionid",
        "This operation is only allowed on the root blob. Version id should not be provided.");
  }

  /** Returns the snapshot or version that the request names; null for the blob itself. */
  @Nullable NamedState state() {
    return state(parameters);
  }

  /** Returns the snapshot or version that the parameters name; null for the blob itself. */
  static @Nullable NamedState state(QueryParameters parameters) {
    boolean version = parameters.has("versionid");
    if (version && parameters.has("snapshot")) {
      throw BlobErrors.MUTUALLY_EXCLUSIVE_PARAMETERS.exception();
    } else if (version) {
      return NamedState.version(
          SnapshotTime.requireParameter("versionid", parameters.text("versionid")));
    }
    return parameters.has("snapshot")
        ? NamedState.snapshot(SnapshotTime.requireParameter(parameters.text("snapshot")))
        : null;
  }

  BlobOperation delete() {
    BlobAddress at = at();
    String said = headers.text("x-ms-delete-snapshots");
    NamedState state = state();
    if (request.isErased()) {
      return erase(at, state);
    } else if (state == null) {
      return new DeleteBlob(at, deletedSnapshots(said), write());
    }
    if (said != null) {
      throw state.isSnapshot() ? parameters.invalid("snapshot", "") : notOfVersion();
    }
    return state.isSnapshot()
        ? new DeleteSnapshot(at, state.ticks(), write())
        : new DeleteVersion(at, state.ticks(), write());
  }

  /** Decodes {@code deletetype=permanent}, which the blob itself does not have. */
  private BlobOperation erase(BlobAddress at, @Nullable NamedState state) {
    if (state == null) {
      throw parameters.invalid("deletetype", "");
    }
    return new Erase(at, state);
  }

  BlobOperation undelete() {
    return new UndeleteBlob(base());
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

  BlobOperation readBlockList() {
    BlobAddress at = at();
    String type = parameters.text("blocklisttype").toLowerCase(Locale.ROOT);
    boolean all = type.equals("all");
    boolean uncommitted = all || type.equals("uncommitted");
    boolean committed = all || type.equals("committed") || type.isEmpty();
    if (!committed && !uncommitted) {
      throw parameters.invalid("blocklisttype", "");
    }
    return new ReadBlockList(at, state(), committed, uncommitted, headers.leaseAndTags());
  }

  /** Decodes Set Blob Properties, which also changes the properties that only page blobs have. */
  BlobOperation replaceHttp() {
    boolean ofPages =
        headers.text(PageDecoder.LENGTH) != null
            || headers.text(PageDecoder.SEQUENCE_ACTION) != null;
    return ofPages
        ? new PageDecoder(this).change()
        : new ReplaceHttp(base(), headers.replacedHttp(), write());
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
