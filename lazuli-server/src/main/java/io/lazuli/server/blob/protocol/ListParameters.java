package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Query;
import io.lazuli.server.protocol.QueryParameters;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The parameters of a listing of containers or blobs (blob-rest 8.1 and 13). */
record ListParameters(QueryParameters parameters) {
  private static final Set<String> OF_CONTAINERS = Set.of("metadata", "deleted", "system");

  /**
   * The values of {@code include} for a listing of blobs. Some belong to features that Lazuli does
   * not have; they add nothing.
   */
  private static final Set<String> OF_BLOBS =
      Set.of(
          "snapshots",
          "metadata",
          "uncommittedblobs",
          "copy",
          "deleted",
          "tags",
          "versions",
          "deletedwithversions",
          "immutabilitypolicy",
          "legalhold",
          "permissions");

  ListContainers containers(String account) {
    Set<String> included = included(OF_CONTAINERS);
    return new ListContainers(
        parameters.text("prefix"),
        containerMarker(account),
        max(),
        included.contains("system"),
        included.contains("deleted"));
  }

  ListBlobs blobs(ContainerName container) {
    Set<String> included = included(OF_BLOBS);
    String delimiter = parameters.text("delimiter");
    boolean snapshots = included.contains("snapshots");
    if (snapshots && !delimiter.isEmpty()) {
      throw parameters.invalid("include", "");
    }
    String marker = parameters.text("marker");
    return new ListBlobs(
        container,
        parameters.text("prefix"),
        new NameBounds(parameters.text("startfrom"), parameters.text("endbefore")),
        delimiter,
        marker.isEmpty() ? null : ListMarker.require(marker),
        max(),
        snapshots,
        included.contains("uncommittedblobs"),
        new FormerStates(
            included.contains("deleted"),
            included.contains("versions"),
            included.contains("deletedwithversions")));
  }

  boolean includes(String what) {
    return included().contains(what);
  }

  private Set<String> included(Set<String> known) {
    Set<String> included = included();
    if (!known.containsAll(included)) {
      throw parameters.invalid("include", "");
    }
    return included;
  }

  /**
   * Returns the values of {@code include}, which are separated by commas or sent as several
   * parameters.
   */
  private Set<String> included() {
    Set<String> included = new HashSet<>();
    for (Query.Parameter parameter : parameters.query().parameters()) {
      if (parameter.name().equalsIgnoreCase("include")) {
        for (String item : parameter.value().toLowerCase(Locale.ROOT).split(",", -1)) {
          included.add(item.strip());
        }
      }
    }
    included.remove("");
    return included;
  }

  /** Returns the number of items that a page may have; throws 400 if it is below 1. */
  int max() {
    long max = parameters.number("maxresults", BlobLimits.LIST_PAGE_ITEMS_MAX);
    if (max <= 0) {
      throw parameters.outOfRange("maxresults", 1, BlobLimits.LIST_PAGE_ITEMS_MAX);
    }
    return (int) Math.min(max, BlobLimits.LIST_PAGE_ITEMS_MAX);
  }

  /**
   * Returns the position in the marker, which has the form {@code /account/name}, as in the live
   * service.
   */
  private String containerMarker(String account) {
    String marker = parameters.text("marker");
    String head = "/" + account + "/";
    if (!marker.isEmpty() && !marker.startsWith(head)) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    return marker.isEmpty() ? "" : marker.substring(head.length());
  }
}
