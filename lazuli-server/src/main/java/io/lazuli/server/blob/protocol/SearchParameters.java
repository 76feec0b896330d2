package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.service.BlobOperation.FindBlobs;
import io.lazuli.server.blob.service.BlobOperation.FindBlobsInContainer;
import io.lazuli.server.blob.tag.TagExpressionParser;
import io.lazuli.server.blob.tag.TagQuery;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.protocol.QueryParameters;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of Find Blobs by Tags (blob-features 1.4 and 1.5). */
record SearchParameters(QueryParameters parameters) {
  private static final String WHERE = "where";
  private static final Set<String> INCLUDED = Set.of("", "none", "versions");

  FindBlobs inAccount() {
    return new FindBlobs(query(), versions(), marker(), max());
  }

  FindBlobsInContainer in(ContainerName container) {
    TagQuery query = query();
    if (query.container() != null) {
      throw refusal("Error parsing query: Cannot have container in both uri and query");
    }
    return new FindBlobsInContainer(container, query, versions(), marker(), max());
  }

  private TagQuery query() {
    for (String item : parameters.text("include").toLowerCase(Locale.ROOT).split(",", -1)) {
      if (!INCLUDED.contains(item.strip())) {
        throw parameters.invalid("include", "");
      }
    }
    TagQuery query = TagExpressionParser.search(parameters.require(WHERE), this::refusal);
    if (query.ranges().isEmpty()) {
      throw refusal("Error parsing query: there must be at least one tag in a query");
    }
    return query;
  }

  /** Returns whether the client asked for versions, too. */
  boolean versions() {
    return parameters.text("include").toLowerCase(Locale.ROOT).contains("versions");
  }

  private @Nullable SearchMarker marker() {
    String marker = parameters.text("marker");
    return marker.isEmpty() ? null : SearchMarker.require(marker);
  }

  private int max() {
    return new ListParameters(parameters).max();
  }

  /** Returns the error for an expression that cannot be read; the message is the reason. */
  private ServiceException refusal(String reason) {
    return BlobErrors.INVALID_TAG_QUERY
        .exception()
        .with("QueryParameterName", WHERE)
        .with("QueryParameterValue", parameters.text(WHERE))
        .with("Reason", reason);
  }
}
