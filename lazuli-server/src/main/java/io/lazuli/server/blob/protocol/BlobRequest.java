package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import java.util.ArrayList;
import java.util.List;

/** A request together with the operation that it asks for. */
record BlobRequest(Request request, BlobRoute route, CutPath path, QueryParameters parameters) {
  /** Routes an addressed request; throws if the service has no such operation. */
  static BlobRequest of(Request request) {
    CutPath path = CutPath.ofBlobs(request);
    if (path == null) {
      throw CommonErrors.INVALID_URI.exception();
    }
    return of(request, path);
  }

  /**
   * Routes an addressed request; throws if the service has no such operation.
   *
   * @param path the parsed path of the request
   */
  static BlobRequest of(Request request, CutPath path) {
    QueryParameters parameters = new QueryParameters(request.query());
    return new BlobRequest(request, BlobRoute.of(request, path, parameters), path, parameters);
  }

  BlobRequest withCaller(Caller caller) {
    return new BlobRequest(request.withCaller(caller), route, path, parameters);
  }

  Caller caller() {
    return request.caller();
  }

  /**
   * Returns the action that the request asks for: that of the route, unless it deletes a version or
   * erases what is soft-deleted, which need permissions of their own (blob-features 9.1).
   */
  BlobAction action(BlobAction ofRoute) {
    if (route != BlobRoute.DELETE_BLOB) {
      return ofRoute;
    } else if (isErased()) {
      return BlobAction.ERASE;
    }
    return parameters.has("versionid") ? BlobAction.DELETE_VERSION : ofRoute;
  }

  /** Returns true if the request deletes for good what is soft-deleted (blob-features 2.5). */
  boolean isErased() {
    return parameters.text("deletetype").equalsIgnoreCase("permanent");
  }

  /**
   * Returns the actions that the headers and parameters ask for in addition to the action of the
   * route. Each needs a permission of its own: to write a blob with tags (blob-features 1.2), to
   * make its tags a condition (blob-features 1.6), to list tags (blob-features 1.7), and to protect
   * it (blob-features 6.1).
   */
  List<BlobAction> furtherActions() {
    List<BlobAction> further = new ArrayList<>(actionsOfTags());
    if (route.takesImmutability() && headers().protects()) {
      further.add(BlobAction.PROTECT);
    }
    return further;
  }

  private List<BlobAction> actionsOfTags() {
    return switch (route) {
      case PUT_BLOB, PUT_BLOCK_LIST -> tags(headers().hasTags(), headers().hasIfTags());
      case COPY_BLOB, PUT_BLOB_FROM_URL ->
          tags(headers().hasTags() || headers().takesSourceTags(), headers().hasIfTags());
      case GET_BLOB,
          GET_BLOB_PROPERTIES,
          GET_BLOB_METADATA,
          GET_BLOCK_LIST,
          DELETE_BLOB,
          SET_BLOB_METADATA,
          SET_BLOB_PROPERTIES,
          SET_BLOB_TIER,
          SNAPSHOT_BLOB,
          ACQUIRE_BLOB_LEASE,
          RENEW_BLOB_LEASE,
          CHANGE_BLOB_LEASE,
          RELEASE_BLOB_LEASE,
          BREAK_BLOB_LEASE,
          APPEND_BLOCK,
          APPEND_BLOCK_FROM_URL ->
          tags(false, headers().hasIfTags());
      case LIST_BLOBS ->
          new ListParameters(parameters).includes("tags")
              ? List.of(BlobAction.LIST_TAGS)
              : List.of();
      default -> List.of();
    };
  }

  private static List<BlobAction> tags(boolean written, boolean read) {
    List<BlobAction> actions = new ArrayList<>();
    if (written) {
      actions.add(BlobAction.CHANGE_TAGS);
    }
    if (read) {
      actions.add(BlobAction.READ_TAGS);
    }
    return actions;
  }

  BlobRequestHeaders headers() {
    return new BlobRequestHeaders(request.headers());
  }

  /** Returns true if the request asks for blocks or blobs that are not committed. */
  boolean asksUncommitted() {
    return switch (route) {
      case GET_BLOCK_LIST -> {
        String type = parameters.text("blocklisttype");
        yield !type.isEmpty() && !type.equalsIgnoreCase("committed");
      }
      case LIST_BLOBS -> new ListParameters(parameters).includes("uncommittedblobs");
      default -> false;
    };
  }

  /**
   * Returns the container or blob that the path names, or the container and prefix of a listing;
   * empty if the path names none.
   */
  String resource() {
    if (route == BlobRoute.LIST_BLOBS) {
      return path.first() + "/" + parameters.text("prefix");
    }
    return path.rest() == null ? path.first() : path.first() + "/" + path.rest();
  }
}
