package io.lazuli.server.blob.protocol;

import static io.lazuli.server.event.OperationKind.DELETE;
import static io.lazuli.server.event.OperationKind.READ;
import static io.lazuli.server.event.OperationKind.WRITE;

import io.lazuli.server.blob.request.SourceAddress;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.Upload;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.settings.SettingsRoute;
import io.lazuli.storage.Deadline;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The table of operations of the blob service (blob-rest 3.2): the documented name, kind,
 * permission and decoder of each. {@link #of} finds the operation of a request or of a part of a
 * batch.
 */
enum BlobRoute implements OperationType {
  LIST_CONTAINERS(
      "ListContainers", READ, BlobAction.LIST_CONTAINERS, OperationDecoder::listContainers),
  CREATE_CONTAINER(
      "CreateContainer", WRITE, BlobAction.CREATE_CONTAINER, OperationDecoder::createContainer),
  DELETE_CONTAINER(
      "DeleteContainer", DELETE, BlobAction.DELETE_CONTAINER, OperationDecoder::deleteContainer),
  RESTORE_CONTAINER(
      "RestoreContainer", WRITE, BlobAction.RESTORE_CONTAINER, OperationDecoder::restoreContainer),
  GET_CONTAINER_PROPERTIES(
      "GetContainerProperties", READ, BlobAction.READ_CONTAINER, OperationDecoder::readContainer),
  GET_CONTAINER_METADATA(
      "GetContainerMetadata", READ, BlobAction.READ_CONTAINER, OperationDecoder::readContainer),
  SET_CONTAINER_METADATA(
      "SetContainerMetadata",
      WRITE,
      BlobAction.CHANGE_CONTAINER,
      OperationDecoder::replaceContainerMetadata),
  GET_CONTAINER_ACL(
      "GetContainerACL",
      READ,
      BlobAction.READ_CONTAINER_ACCESS,
      OperationDecoder::readContainerAccess),
  SET_CONTAINER_ACL(
      "SetContainerACL",
      WRITE,
      BlobAction.CHANGE_CONTAINER_ACCESS,
      BlobEndpoint::setContainerAccess),
  ACQUIRE_CONTAINER_LEASE(
      "AcquireContainerLease",
      WRITE,
      BlobAction.CHANGE_CONTAINER,
      OperationDecoder::leaseContainer),
  RENEW_CONTAINER_LEASE(
      "RenewContainerLease", WRITE, BlobAction.CHANGE_CONTAINER, OperationDecoder::leaseContainer),
  CHANGE_CONTAINER_LEASE(
      "ChangeContainerLease", WRITE, BlobAction.CHANGE_CONTAINER, OperationDecoder::leaseContainer),
  RELEASE_CONTAINER_LEASE(
      "ReleaseContainerLease",
      WRITE,
      BlobAction.CHANGE_CONTAINER,
      OperationDecoder::leaseContainer),
  BREAK_CONTAINER_LEASE(
      "BreakContainerLease",
      WRITE,
      BlobAction.BREAK_CONTAINER_LEASE,
      OperationDecoder::leaseContainer),
  /** Not an operation. The decoder refuses it after the check of the caller's permission. */
  UNKNOWN_CONTAINER_LEASE(
      "UnknownContainerLease",
      WRITE,
      BlobAction.CHANGE_CONTAINER,
      OperationDecoder::leaseContainer),
  LIST_BLOBS("ListBlobs", READ, BlobAction.LIST_BLOBS, OperationDecoder::listBlobs),

  FIND_BLOBS_BY_TAGS("FindBlobsByTags", READ, BlobAction.FIND_BLOBS, OperationDecoder::findBlobs),
  FIND_BLOBS_IN_CONTAINER(
      "FindBlobsByTags",
      READ,
      BlobAction.FIND_BLOBS_IN_CONTAINER,
      OperationDecoder::findBlobsInContainer),

  GET_BLOB("GetBlob", READ, BlobAction.READ_BLOB, BlobEndpoint::get),
  GET_BLOB_PROPERTIES(
      "GetBlobProperties", READ, BlobAction.READ_BLOB, OperationDecoder::readProperties),
  GET_BLOB_METADATA(
      "GetBlobMetadata", READ, BlobAction.READ_BLOB, OperationDecoder::readProperties),
  GET_BLOCK_LIST("GetBlockList", READ, BlobAction.READ_BLOB, OperationDecoder::readBlockList),
  GET_BLOB_TAGS("GetBlobTags", READ, BlobAction.READ_TAGS, OperationDecoder::readTags),
  PUT_BLOB("PutBlob", WRITE, BlobAction.CREATE_BLOB, BlobEndpoint::putBlob),
  PUT_BLOCK("PutBlock", WRITE, BlobAction.CREATE_BLOB, upload(UploadDecoder::putBlock)),
  PUT_BLOCK_LIST("PutBlockList", WRITE, BlobAction.CREATE_BLOB, BlobEndpoint::putBlockList),
  APPEND_BLOCK("AppendBlock", WRITE, BlobAction.APPEND_BLOCK, upload(UploadDecoder::appendBlock)),
  PUT_PAGE("PutPage", WRITE, BlobAction.CHANGE_BLOB, BlobEndpoint::putPages),
  CLEAR_PAGE("ClearPage", DELETE, BlobAction.CHANGE_BLOB, BlobEndpoint::clearPages),
  GET_PAGE_RANGES("GetPageRanges", READ, BlobAction.READ_BLOB, BlobEndpoint::pageRanges),
  COPY_BLOB("CopyBlob", WRITE, BlobAction.CREATE_BLOB, copy(CopyDecoder::copyBlob)),
  PUT_BLOB_FROM_URL("PutBlobFromURL", WRITE, BlobAction.CREATE_BLOB, copy(CopyDecoder::putBlob)),
  PUT_BLOCK_FROM_URL("PutBlockFromURL", WRITE, BlobAction.CREATE_BLOB, copy(CopyDecoder::putBlock)),
  APPEND_BLOCK_FROM_URL(
      "AppendBlockFromURL", WRITE, BlobAction.APPEND_BLOCK, copy(CopyDecoder::appendBlock)),
  ABORT_COPY_BLOB("AbortCopyBlob", WRITE, BlobAction.CHANGE_BLOB, BlobEndpoint::abortCopy),
  DELETE_BLOB("DeleteBlob", DELETE, BlobAction.DELETE_BLOB, OperationDecoder::delete),
  UNDELETE_BLOB("UndeleteBlob", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::undelete),
  SET_BLOB_METADATA(
      "SetBlobMetadata", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::replaceMetadata),
  SET_BLOB_PROPERTIES(
      "SetBlobProperties", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::replaceHttp),
  SET_BLOB_TAGS("SetBlobTags", WRITE, BlobAction.CHANGE_TAGS, BlobEndpoint::setTags),
  SET_BLOB_TIER("SetBlobTier", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::setTier),
  SET_BLOB_EXPIRY("SetBlobExpiry", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::setExpiry),
  SET_IMMUTABILITY_POLICY(
      "SetBlobImmutabilityPolicy", WRITE, BlobAction.PROTECT, OperationDecoder::setPolicy),
  DELETE_IMMUTABILITY_POLICY(
      "DeleteBlobImmutabilityPolicy", DELETE, BlobAction.PROTECT, OperationDecoder::deletePolicy),
  SET_LEGAL_HOLD("SetBlobLegalHold", WRITE, BlobAction.PROTECT, OperationDecoder::setLegalHold),
  APPEND_BLOB_SEAL("AppendBlobSeal", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::seal),
  SNAPSHOT_BLOB("SnapshotBlob", WRITE, BlobAction.TAKE_SNAPSHOT, OperationDecoder::snapshotBlob),
  ACQUIRE_BLOB_LEASE(
      "AcquireBlobLease", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::leaseBlob),
  RENEW_BLOB_LEASE("RenewBlobLease", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::leaseBlob),
  CHANGE_BLOB_LEASE("ChangeBlobLease", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::leaseBlob),
  RELEASE_BLOB_LEASE(
      "ReleaseBlobLease", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::leaseBlob),
  BREAK_BLOB_LEASE(
      "BreakBlobLease", WRITE, BlobAction.BREAK_BLOB_LEASE, OperationDecoder::leaseBlob),
  /** Not an operation. The decoder refuses it after the check of the caller's permission. */
  UNKNOWN_BLOB_LEASE(
      "UnknownBlobLease", WRITE, BlobAction.CHANGE_BLOB, OperationDecoder::leaseBlob),

  GET_BLOB_SERVICE_PROPERTIES("GetBlobServiceProperties", SettingsRoute.READ_PROPERTIES),
  SET_BLOB_SERVICE_PROPERTIES("SetBlobServiceProperties", SettingsRoute.CHANGE_PROPERTIES),
  GET_BLOB_SERVICE_STATS("GetBlobServiceStats", SettingsRoute.READ_STATS),
  /** Not an operation: the service does not have the setting. */
  READ_UNKNOWN_SETTING("Unknown", READ, BlobEndpoint::refuseRead),
  /**
   * Not an operation. It is refused after the check of the caller's permission, once the body was
   * read.
   */
  CHANGE_UNKNOWN_SETTING("Unknown", WRITE, BlobEndpoint::refuseChange),
  GET_ACCOUNT_INFORMATION("GetAccountInformation", READ, BlobEndpoint::accountInformation),
  GET_USER_DELEGATION_KEY("GetUserDelegationKey", READ, BlobEndpoint::delegationKey),
  /** Each request in the batch has its own route and permission. */
  SUBMIT_BATCH("SubmitBatch", WRITE, BlobEndpoint::batch),
  /** The pipeline answers preflight requests, so they never reach the endpoint. */
  BLOB_PREFLIGHT_REQUEST(
      "BlobPreflightRequest",
      READ,
      (endpoint, request, deadline) -> {
        throw new IllegalStateException("the pipeline answers preflight requests");
      });

  /** Answers a request once its operation is known. */
  private interface Handler {
    CompletionStage<Response> handle(BlobEndpoint endpoint, BlobRequest request, Deadline deadline);
  }

  /** Decodes and answers a request whose caller has the permission. */
  interface Decoding {
    CompletionStage<Response> answer(
        BlobEndpoint endpoint, OperationDecoder request, Deadline deadline);
  }

  private final String documentedName;
  private final OperationKind kind;

  @SuppressWarnings("ImmutableEnumChecker") // No handler has state.
  private final Handler handler;

  BlobRoute(String documentedName, OperationKind kind, Handler handler) {
    this.documentedName = documentedName;
    this.kind = kind;
    this.handler = handler;
  }

  /** Creates an operation of the blob service that the head of a request describes completely. */
  BlobRoute(
      String documentedName,
      OperationKind kind,
      BlobAction action,
      Function<OperationDecoder, BlobOperation> decoder) {
    this(
        documentedName,
        kind,
        action,
        (endpoint, request, deadline) ->
            endpoint.execute(request.request(), decoder.apply(request), deadline));
  }

  /** Creates an operation of the blob service. */
  BlobRoute(String documentedName, OperationKind kind, BlobAction action, Decoding decoding) {
    this(
        documentedName,
        kind,
        (endpoint, request, deadline) -> endpoint.answer(request, action, decoding, deadline));
  }

  /** Creates an operation that every service has. */
  BlobRoute(String documentedName, SettingsRoute settings) {
    this(
        documentedName,
        settings.kind(),
        (endpoint, request, deadline) -> endpoint.settings(request, settings, deadline));
  }

  /** Returns the decoding of operations whose body is content of the blob and is streamed. */
  private static Decoding upload(Function<UploadDecoder, Upload> decoder) {
    return (endpoint, request, deadline) ->
        endpoint.upload(request.request(), decoder.apply(new UploadDecoder(request)), deadline);
  }

  /** Returns the decoding of operations whose content comes from another blob. */
  private static Decoding copy(BiFunction<CopyDecoder, SourceAddress, BlobOperation> decoder) {
    return (endpoint, request, deadline) -> endpoint.copy(request, decoder, deadline);
  }

  @Override
  public String documentedName() {
    return documentedName;
  }

  @Override
  public OperationKind kind() {
    return kind;
  }

  /** Returns true also for user delegation keys: they give access, although they change no data. */
  @Override
  public boolean isAudited() {
    return kind != READ || this == GET_USER_DELEGATION_KEY;
  }

  @Override
  public boolean changed(long returned) {
    return this == GET_USER_DELEGATION_KEY || kind(returned) != READ;
  }

  /** Returns whether the answer is a list, which may take long to read and to encode. */
  boolean isListing() {
    return this == LIST_CONTAINERS
        || this == LIST_BLOBS
        || this == FIND_BLOBS_BY_TAGS
        || this == FIND_BLOBS_IN_CONTAINER
        || this == GET_BLOCK_LIST
        || this == GET_PAGE_RANGES;
  }

  /** Returns whether the operation changes an immutability policy or a legal hold. */
  boolean isOfImmutability() {
    return this == SET_IMMUTABILITY_POLICY
        || this == DELETE_IMMUTABILITY_POLICY
        || this == SET_LEGAL_HOLD;
  }

  /** Returns whether the headers of a request may give a blob a policy and a hold. */
  boolean takesImmutability() {
    return isOfImmutability() || this == PUT_BLOB || this == PUT_BLOCK_LIST || this == COPY_BLOB;
  }

  CompletionStage<Response> handle(BlobEndpoint endpoint, BlobRequest request, Deadline deadline) {
    return handler.handle(endpoint, request, deadline);
  }

  /**
   * Finds the operation that a request asks for. Throws if the service has no such operation, or if
   * Lazuli does not offer it and the table has no row for it.
   */
  static BlobRoute of(Request request, CutPath path, QueryParameters parameters) {
    String kind = parameters.text("restype").toLowerCase(Locale.ROOT);
    String component = parameters.text("comp").toLowerCase(Locale.ROOT);
    String method = request.method();
    if (kind.equals("account") && component.equals("properties")) {
      return reads(method, GET_ACCOUNT_INFORMATION);
    } else if (path.first().isEmpty()) {
      return ofService(request, component, parameters);
    } else if (path.rest() != null) {
      return ofBlob(request, component, parameters);
    } else if (!kind.equals("container")) {
      throw parameters.invalid("restype", "");
    }
    return ofContainer(request, component, parameters);
  }

  private static BlobRoute ofService(
      Request request, String component, QueryParameters parameters) {
    String method = request.method();
    return switch (component) {
      case "list" -> only("GET", method, LIST_CONTAINERS);
      // One SDK adds restype=container to a batch for the account (blob-rest 8.5).
      case "batch" -> only("POST", method, SUBMIT_BATCH);
      case "blobs" -> only("GET", method, FIND_BLOBS_BY_TAGS);
      case "userdelegationkey" -> only("POST", method, GET_USER_DELEGATION_KEY);
      default -> {
        if (!parameters.text("restype").equalsIgnoreCase("service")) {
          throw parameters.invalid("comp", "");
        }
        yield ofSettings(request, parameters);
      }
    };
  }

  private static BlobRoute ofSettings(Request request, QueryParameters parameters) {
    try {
      return of(SettingsRoute.ofService(request, parameters, CommonErrors.UNSUPPORTED_HTTP_VERB));
    } catch (ServiceException e) {
      boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
      return reads ? READ_UNKNOWN_SETTING : CHANGE_UNKNOWN_SETTING;
    }
  }

  private static BlobRoute of(SettingsRoute settings) {
    return switch (settings) {
      case READ_PROPERTIES -> GET_BLOB_SERVICE_PROPERTIES;
      case CHANGE_PROPERTIES -> SET_BLOB_SERVICE_PROPERTIES;
      case READ_STATS -> GET_BLOB_SERVICE_STATS;
      case READ_POLICIES, REPLACE_POLICIES, REFUSE_POLICIES ->
          throw new IllegalStateException("containers have access lists of their own");
    };
  }

  private static BlobRoute ofContainer(
      Request request, String component, QueryParameters parameters) {
    String method = request.method();
    return switch (component) {
      case "" ->
          switch (method) {
            case "PUT" -> CREATE_CONTAINER;
            case "DELETE" -> DELETE_CONTAINER;
            default -> reads(method, GET_CONTAINER_PROPERTIES);
          };
      case "metadata" ->
          method.equals("PUT") ? SET_CONTAINER_METADATA : reads(method, GET_CONTAINER_METADATA);
      case "acl" -> method.equals("PUT") ? SET_CONTAINER_ACL : reads(method, GET_CONTAINER_ACL);
      case "lease" -> only("PUT", method, leaseContainer(request));
      case "list" -> only("GET", method, LIST_BLOBS);
      case "batch" -> only("POST", method, SUBMIT_BATCH);
      case "blobs" -> only("GET", method, FIND_BLOBS_IN_CONTAINER);
      case "undelete" -> only("PUT", method, RESTORE_CONTAINER);
      case "rename" -> throw notOffered();
      default -> throw parameters.invalid("comp", "");
    };
  }

  private static BlobRoute leaseContainer(Request request) {
    return switch (leaseAction(request)) {
      case "acquire" -> ACQUIRE_CONTAINER_LEASE;
      case "renew" -> RENEW_CONTAINER_LEASE;
      case "change" -> CHANGE_CONTAINER_LEASE;
      case "release" -> RELEASE_CONTAINER_LEASE;
      case "break" -> BREAK_CONTAINER_LEASE;
      default -> UNKNOWN_CONTAINER_LEASE;
    };
  }

  private static BlobRoute leaseBlob(Request request) {
    return switch (leaseAction(request)) {
      case "acquire" -> ACQUIRE_BLOB_LEASE;
      case "renew" -> RENEW_BLOB_LEASE;
      case "change" -> CHANGE_BLOB_LEASE;
      case "release" -> RELEASE_BLOB_LEASE;
      case "break" -> BREAK_BLOB_LEASE;
      default -> UNKNOWN_BLOB_LEASE;
    };
  }

  private static String leaseAction(Request request) {
    String action = request.header("x-ms-lease-action");
    return action == null ? "" : action.strip().toLowerCase(Locale.ROOT);
  }

  private static BlobRoute ofBlob(Request request, String component, QueryParameters parameters) {
    String method = request.method();
    boolean copies = request.header("x-ms-copy-source") != null;
    return switch (component) {
      case "" ->
          switch (method) {
            case "GET" -> GET_BLOB;
            case "HEAD" -> GET_BLOB_PROPERTIES;
            case "DELETE" -> DELETE_BLOB;
            case "PUT" -> put(request, copies);
            default -> throw wrongMethod();
          };
      case "metadata" ->
          method.equals("PUT") ? SET_BLOB_METADATA : reads(method, GET_BLOB_METADATA);
      case "properties" -> only("PUT", method, SET_BLOB_PROPERTIES);
      case "block" -> only("PUT", method, copies ? PUT_BLOCK_FROM_URL : PUT_BLOCK);
      case "blocklist" ->
          method.equals("PUT") ? PUT_BLOCK_LIST : only("GET", method, GET_BLOCK_LIST);
      case "appendblock" -> only("PUT", method, copies ? APPEND_BLOCK_FROM_URL : APPEND_BLOCK);
      case "seal" -> only("PUT", method, APPEND_BLOB_SEAL);
      case "snapshot" -> only("PUT", method, SNAPSHOT_BLOB);
      case "lease" -> only("PUT", method, leaseBlob(request));
      case "tier" -> only("PUT", method, SET_BLOB_TIER);
      case "tags" -> method.equals("PUT") ? SET_BLOB_TAGS : only("GET", method, GET_BLOB_TAGS);
      case "copy" -> only("PUT", method, ABORT_COPY_BLOB);
      case "page" -> only("PUT", method, page(request));
      case "pagelist" -> only("GET", method, GET_PAGE_RANGES);
      case "undelete" -> only("PUT", method, UNDELETE_BLOB);
      case "expiry" -> only("PUT", method, SET_BLOB_EXPIRY);
      case "immutabilitypolicies" ->
          method.equals("PUT")
              ? SET_IMMUTABILITY_POLICY
              : only("DELETE", method, DELETE_IMMUTABILITY_POLICY);
      case "legalhold" -> only("PUT", method, SET_LEGAL_HOLD);
      case "query", "incrementalcopy" -> throw notOffered();
      default -> throw parameters.invalid("comp", "");
    };
  }

  private static BlobRoute put(Request request, boolean copies) {
    if (!copies) {
      return PUT_BLOB;
    }
    return request.header("x-ms-blob-type") == null ? COPY_BLOB : PUT_BLOB_FROM_URL;
  }

  private static BlobRoute page(Request request) {
    return "clear".equalsIgnoreCase(request.header("x-ms-page-write")) ? CLEAR_PAGE : PUT_PAGE;
  }

  private static BlobRoute reads(String method, BlobRoute route) {
    return method.equals("HEAD") ? route : only("GET", method, route);
  }

  private static BlobRoute only(String expected, String method, BlobRoute route) {
    if (!method.equals(expected)) {
      throw wrongMethod();
    }
    return route;
  }

  private static ServiceException wrongMethod() {
    return CommonErrors.UNSUPPORTED_HTTP_VERB.exception();
  }

  private static ServiceException notOffered() {
    return CommonErrors.NOT_IMPLEMENTED.exception();
  }
}
