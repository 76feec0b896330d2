package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about to do, as far as its line and a few headers tell: the table of blob-rest
 * 3.2. Who may not do it learns so before anything else about the request is judged.
 */
enum BlobRoute {
  SERVICE_SETTINGS("BlobServiceProperties", null),
  ACCOUNT_INFORMATION("GetAccountInformation", null),
  BATCH("SubmitBatch", null),
  LIST_CONTAINERS("ListContainers", BlobAction.LIST_CONTAINERS),
  CREATE_CONTAINER("CreateContainer", BlobAction.CREATE_CONTAINER),
  DELETE_CONTAINER("DeleteContainer", BlobAction.DELETE_CONTAINER),
  CONTAINER_PROPERTIES("GetContainerProperties", BlobAction.READ_CONTAINER),
  CONTAINER_METADATA("GetContainerMetadata", BlobAction.READ_CONTAINER),
  SET_CONTAINER_METADATA("SetContainerMetadata", BlobAction.CHANGE_CONTAINER),
  CONTAINER_ACCESS("GetContainerACL", BlobAction.CONTAINER_ACCESS),
  SET_CONTAINER_ACCESS("SetContainerACL", BlobAction.CONTAINER_ACCESS),
  LEASE_CONTAINER("ContainerLease", BlobAction.CHANGE_CONTAINER),
  LIST_BLOBS("ListBlobs", BlobAction.LIST_BLOBS),
  GET_BLOB("GetBlob", BlobAction.READ_BLOB),
  BLOB_PROPERTIES("GetBlobProperties", BlobAction.READ_BLOB),
  BLOB_METADATA("GetBlobMetadata", BlobAction.READ_BLOB),
  BLOCK_LIST("GetBlockList", BlobAction.READ_BLOB),
  TAGS("GetBlobTags", BlobAction.TAGS),
  PUT_BLOB("PutBlob", BlobAction.CREATE_BLOB),
  COPY_BLOB("CopyBlob", BlobAction.CREATE_BLOB),
  PUT_BLOB_FROM_URL("PutBlobFromURL", BlobAction.CREATE_BLOB),
  DELETE_BLOB("DeleteBlob", BlobAction.DELETE_BLOB),
  SET_BLOB_METADATA("SetBlobMetadata", BlobAction.CHANGE_BLOB),
  SET_BLOB_PROPERTIES("SetBlobProperties", BlobAction.CHANGE_BLOB),
  PUT_BLOCK("PutBlock", BlobAction.CHANGE_BLOB),
  PUT_BLOCK_FROM_URL("PutBlockFromURL", BlobAction.CHANGE_BLOB),
  PUT_BLOCK_LIST("PutBlockList", BlobAction.CHANGE_BLOB),
  APPEND_BLOCK("AppendBlock", BlobAction.APPEND_BLOCK),
  APPEND_BLOCK_FROM_URL("AppendBlockFromURL", BlobAction.APPEND_BLOCK),
  SEAL("AppendBlobSeal", BlobAction.CHANGE_BLOB),
  SNAPSHOT("SnapshotBlob", BlobAction.TAKE_SNAPSHOT),
  LEASE_BLOB("BlobLease", BlobAction.CHANGE_BLOB),
  SET_TIER("SetBlobTier", BlobAction.CHANGE_BLOB),
  SET_TAGS("SetBlobTags", BlobAction.TAGS),
  ABORT_COPY("AbortCopyBlob", BlobAction.CHANGE_BLOB);

  private final String operation;
  private final @Nullable BlobAction action;

  BlobRoute(String operation, @Nullable BlobAction action) {
    this.operation = operation;
    this.action = action;
  }

  /** The operation by its documented name; a lease's says what is done with it. */
  String operation(Request request) {
    if (this == SERVICE_SETTINGS) {
      boolean stats = "stats".equals(request.query().firstIgnoringCase("comp"));
      String verb = request.method().equals("PUT") ? "Set" : "Get";
      return stats ? "GetBlobServiceStats" : verb + operation;
    }
    String lease = request.header("x-ms-lease-action");
    return (this == LEASE_BLOB || this == LEASE_CONTAINER) && lease != null && !lease.isBlank()
        ? capitalised(lease) + operation
        : operation;
  }

  private static String capitalised(String action) {
    return switch (action.toLowerCase(Locale.ROOT)) {
      case "acquire" -> "Acquire";
      case "renew" -> "Renew";
      case "change" -> "Change";
      case "release" -> "Release";
      case "break" -> "Break";
      default -> "Unknown";
    };
  }

  /** What it asks of the caller; null if another part of the server judges that. */
  @Nullable BlobAction action(Request request) {
    boolean breaks = "break".equalsIgnoreCase(request.header("x-ms-lease-action"));
    if (breaks && this == LEASE_BLOB) {
      return BlobAction.BREAK_BLOB_LEASE;
    }
    return breaks && this == LEASE_CONTAINER ? BlobAction.BREAK_CONTAINER_LEASE : action;
  }

  /** Refuses what is no operation of the service, and what is one that is not offered. */
  static BlobRoute of(Request request, CutPath path, QueryParameters parameters) {
    String kind = parameters.text("restype").toLowerCase(Locale.ROOT);
    String component = parameters.text("comp").toLowerCase(Locale.ROOT);
    String method = request.method();
    if (kind.equals("account") && component.equals("properties")) {
      return reads(method, ACCOUNT_INFORMATION);
    } else if (path.first().isEmpty()) {
      return ofService(method, component, parameters);
    } else if (path.rest() != null) {
      return ofBlob(request, component, parameters);
    } else if (!kind.equals("container")) {
      return inRoot(parameters);
    }
    return ofContainer(method, component, parameters);
  }

  private static BlobRoute ofService(String method, String component, QueryParameters parameters) {
    return switch (component) {
      case "list" -> only("GET", method, LIST_CONTAINERS);
      // One SDK says that the account was a container (blob-rest 8.5).
      case "batch" -> only("POST", method, BATCH);
      case "blobs", "userdelegationkey" -> throw notOffered();
      default -> {
        if (!parameters.text("restype").equalsIgnoreCase("service")) {
          throw parameters.invalid("comp", "");
        }
        yield SERVICE_SETTINGS;
      }
    };
  }

  /** Blobs beside the containers are not offered, so there are none. */
  private static BlobRoute inRoot(QueryParameters parameters) {
    if (parameters.has("restype")) {
      throw parameters.invalid("restype", "");
    }
    throw CommonErrors.RESOURCE_NOT_FOUND.exception();
  }

  private static BlobRoute ofContainer(
      String method, String component, QueryParameters parameters) {
    return switch (component) {
      case "" ->
          switch (method) {
            case "PUT" -> CREATE_CONTAINER;
            case "DELETE" -> DELETE_CONTAINER;
            default -> reads(method, CONTAINER_PROPERTIES);
          };
      case "metadata" ->
          method.equals("PUT") ? SET_CONTAINER_METADATA : reads(method, CONTAINER_METADATA);
      case "acl" -> method.equals("PUT") ? SET_CONTAINER_ACCESS : reads(method, CONTAINER_ACCESS);
      case "lease" -> only("PUT", method, LEASE_CONTAINER);
      case "list" -> only("GET", method, LIST_BLOBS);
      case "batch" -> only("POST", method, BATCH);
      case "blobs", "undelete", "rename" -> throw notOffered();
      default -> throw parameters.invalid("comp", "");
    };
  }

  private static BlobRoute ofBlob(Request request, String component, QueryParameters parameters) {
    String method = request.method();
    boolean copies = request.header("x-ms-copy-source") != null;
    return switch (component) {
      case "" ->
          switch (method) {
            case "GET" -> GET_BLOB;
            case "HEAD" -> BLOB_PROPERTIES;
            case "DELETE" -> DELETE_BLOB;
            case "PUT" -> put(request, copies);
            default -> throw wrongMethod();
          };
      case "metadata" -> method.equals("PUT") ? SET_BLOB_METADATA : reads(method, BLOB_METADATA);
      case "properties" -> only("PUT", method, SET_BLOB_PROPERTIES);
      case "block" -> only("PUT", method, copies ? PUT_BLOCK_FROM_URL : PUT_BLOCK);
      case "blocklist" -> method.equals("PUT") ? PUT_BLOCK_LIST : only("GET", method, BLOCK_LIST);
      case "appendblock" -> only("PUT", method, copies ? APPEND_BLOCK_FROM_URL : APPEND_BLOCK);
      case "seal" -> only("PUT", method, SEAL);
      case "snapshot" -> only("PUT", method, SNAPSHOT);
      case "lease" -> only("PUT", method, LEASE_BLOB);
      case "tier" -> only("PUT", method, SET_TIER);
      case "tags" -> method.equals("PUT") ? SET_TAGS : only("GET", method, TAGS);
      case "copy" -> only("PUT", method, ABORT_COPY);
      case "page",
          "pagelist",
          "undelete",
          "expiry",
          "immutabilitypolicies",
          "legalhold",
          "query",
          "incrementalcopy" ->
          throw notOffered();
      default -> throw parameters.invalid("comp", "");
    };
  }

  private static BlobRoute put(Request request, boolean copies) {
    if (!copies) {
      return PUT_BLOB;
    }
    return request.header("x-ms-blob-type") == null ? COPY_BLOB : PUT_BLOB_FROM_URL;
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
