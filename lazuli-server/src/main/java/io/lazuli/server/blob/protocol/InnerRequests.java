package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Query;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.Addressing;
import io.lazuli.server.pipeline.CommonHeaders;
import io.lazuli.server.pipeline.Step;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prepares requests inside of requests: the parts of a batch, and the source of a copy, which is
 * read as if the client had asked for it. Each is addressed and authenticated like any other
 * request.
 *
 * @param ports returns the ports on which this server listens
 */
public record InnerRequests(
    Addressing addressing,
    Step authentication,
    CommonHeaders commonHeaders,
    Supplier<Set<Integer>> ports) {
  private static final String TOKEN_SCHEME = "Bearer ";

  /**
   * Returns the addressed request for the source of a copy; null if the source is on another
   * server.
   */
  @Nullable Request source(Request request, String url) {
    String host = request.header("Host");
    CopySourceUrl source = CopySourceUrl.require(url);
    if (!source.isOurs(host == null ? "" : host, ports.get())) {
      return null;
    }
    String target = source.rawPath() + (source.rawQuery().isEmpty() ? "" : "?" + source.rawQuery());
    Request asked = request.inner("GET", target, headers(request, source));
    if (asked.query() == Query.UNREADABLE) {
      throw BlobRequestHeaders.invalid(CopySourceUrl.HEADER, url);
    }
    Address address = addressing.tryFind(asked);
    if (address == null) {
      throw BlobErrors.COPY_SOURCE_NOT_FOUND.exception();
    }
    return asked.withAddress(address);
  }

  /**
   * Returns the headers of a request for the source of a copy. A token for the source becomes its
   * credentials (blob-features 5.3). Other schemes do not: a signature in this header signs
   * nothing.
   */
  private static InnerHeaders headers(Request request, CopySourceUrl source) {
    String token = request.header(CopyDecoder.AUTHORIZATION);
    if (token == null) {
      return new InnerHeaders(Map.of("host", source.authority()));
    }
    if (!token.regionMatches(true, 0, TOKEN_SCHEME, 0, TOKEN_SCHEME.length())) {
      throw BlobErrors.COPY_SOURCE_NOT_AUTHORISED.exception();
    }
    return new InnerHeaders(Map.of("host", source.authority(), "authorization", token));
  }

  /** Addresses a part of a batch. */
  Request addressed(Request part) {
    return part.withAddress(addressing.find(part));
  }

  /** Returns the caller of an addressed request. */
  CompletionStage<Caller> authenticated(Request request) {
    if (request.query() == Query.UNREADABLE) {
      return CompletableFuture.failedFuture(CommonErrors.INVALID_URI.exception());
    }
    CompletableFuture<Caller> caller = new CompletableFuture<>();
    try {
      authentication
          .handle(
              request,
              proved -> {
                caller.complete(proved.caller());
                return CompletableFuture.completedFuture(Response.of(200).build());
              })
          .whenComplete(
              (answer, failure) -> {
                if (failure != null) {
                  caller.completeExceptionally(failure);
                }
              });
    } catch (ServiceException e) {
      caller.completeExceptionally(e);
    }
    return caller;
  }
}
