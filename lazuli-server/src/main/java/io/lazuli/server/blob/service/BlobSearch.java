package io.lazuli.server.blob.service;

import io.lazuli.server.blob.index.TagIndex;
import io.lazuli.server.blob.index.TagSearch;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.service.BlobOperation.FindBlobs;
import io.lazuli.server.blob.service.BlobOperation.FindBlobsInContainer;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlob;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlobs;
import io.lazuli.server.blob.tag.TagQuery;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds blobs by their tags, in one container or in all containers of an account, one after the
 * other (blob-features 1.4). A page is bounded in results and in work, so it may be short or empty
 * although more results follow.
 */
final class BlobSearch {
  /** A page ends after this many index rows, to bound its time if few of them are results. */
  static final int PAGE_ROWS_MAX = 20_000;

  /** A page ends after this many containers, to bound its time if few of them have results. */
  static final int PAGE_CONTAINERS_MAX = 1_000;

  private static final int CONTAINERS_PER_STEP = 100;

  private final StorageEngine engine;
  private final Catalog catalog;
  private final BlobPartitions partitions;
  private final TagIndex index;

  BlobSearch(StorageEngine engine, Catalog catalog, BlobPartitions partitions, TagIndex index) {
    this.engine = engine;
    this.catalog = catalog;
    this.partitions = partitions;
    this.index = index;
  }

  /** Finds blobs of one container; fails if it does not exist. */
  CompletableFuture<BlobOutcome> find(
      String account, FindBlobsInContainer find, Deadline deadline) {
    String name = find.container().text();
    SearchMarker marker = find.marker();
    SearchMarker from =
        marker == null || !marker.container().equals(name)
            ? SearchMarker.ofContainer(name)
            : marker;
    return partitions.onContainer(
        account,
        find.container(),
        deadline,
        space ->
            search(space, name, find.query(), find.versions(), deadline)
                .page(from, find.max(), PAGE_ROWS_MAX)
                .thenApply(found -> new FoundBlobs(results(name, found), found.next())));
  }

  /** Finds blobs of all containers, or of the one that the expression names. */
  CompletableFuture<BlobOutcome> find(String account, FindBlobs find, Deadline deadline) {
    Page page = new Page(account, find, deadline);
    return Futures.repeat(page::step).thenApply(done -> new FoundBlobs(page.found, page.next));
  }

  private TagSearch search(
      Space space, String container, TagQuery query, boolean versions, Deadline deadline) {
    return new TagSearch(engine, index, space, container, query, versions, deadline);
  }

  private static List<FoundBlob> results(String container, TagSearch search) {
    return search.matches().stream()
        .map(
            match ->
                new FoundBlob(
                    container,
                    match.name(),
                    match.tags(),
                    match.versionTicks(),
                    match.current(),
                    match.at()))
        .toList();
  }

  /** One page of a search through the containers of an account. Mutable, used once. */
  private final class Page {
    private final String account;
    private final FindBlobs find;
    private final Deadline deadline;
    private final List<FoundBlob> found = new ArrayList<>();
    private final Deque<String> names = new ArrayDeque<>();

    /** The position at which the search goes on; null when all containers are finished. */
    private @Nullable SearchMarker next;

    private boolean lastNames;
    private int rows;
    private int containers;
    private long bytes;

    Page(String account, FindBlobs find, Deadline deadline) {
      this.account = account;
      this.find = find;
      this.deadline = deadline;
      String only = find.query().container();
      SearchMarker marker = find.marker();
      SearchMarker first = SearchMarker.ofContainer(only == null ? "" : only);
      boolean elsewhere = marker != null && only != null && !marker.container().equals(only);
      next = elsewhere ? null : marker == null ? first : marker;
      if (only != null) {
        names.add(only);
        lastNames = true;
      }
    }

    /** Searches the next container. Returns false at the end of the page. */
    CompletableFuture<Boolean> step() {
      SearchMarker from = next;
      boolean full =
          found.size() >= find.max()
              || rows >= PAGE_ROWS_MAX
              || containers >= PAGE_CONTAINERS_MAX
              || bytes > TagSearch.PAGE_BYTES_MAX;
      if (from == null || full) {
        return CompletableFuture.completedFuture(false);
      }
      if (names.isEmpty() && !lastNames) {
        return readNames(from.container()).thenApply(read -> true);
      }
      String name = names.poll();
      if (name == null) {
        next = null;
        return CompletableFuture.completedFuture(false);
      }
      containers++;
      SearchMarker start = name.equals(from.container()) ? from : SearchMarker.ofContainer(name);
      return searched(name, start).thenApply(done -> true);
    }

    private CompletableFuture<@Nullable Void> readNames(String from) {
      return catalog
          .list(
              ServiceHome.ofContainers(account),
              from,
              deadline,
              row -> names.add(row.name()) && names.size() < CONTAINERS_PER_STEP)
          .thenApply(
              read -> {
                lastNames = names.size() < CONTAINERS_PER_STEP;
                return null;
              });
    }

    /** Searches a container; one that was deleted in between has no results. */
    private CompletableFuture<@Nullable Void> searched(String name, SearchMarker start) {
      return partitions
          .onSpaceOf(
              account,
              name,
              deadline,
              space ->
                  search(space, name, find.query(), find.versions(), deadline)
                      .page(start, find.max() - found.size(), PAGE_ROWS_MAX - rows))
          .<@Nullable TagSearch>thenApply(search -> search)
          .exceptionally(BlobSearch::noneIfMissing)
          .thenApply(
              search -> {
                boolean last = names.isEmpty() && lastNames;
                next = last ? null : SearchMarker.ofContainer(name + "\0");
                if (search != null) {
                  found.addAll(results(name, search));
                  rows += search.rows();
                  bytes += search.bytes();
                  next = search.next() == null ? next : search.next();
                }
                return null;
              });
    }
  }

  private static @Nullable TagSearch noneIfMissing(Throwable failure) {
    boolean missing =
        Futures.cause(failure) instanceof ServiceException refusal
            && refusal.error().equals(BlobErrors.CONTAINER_NOT_FOUND);
    if (missing) {
      return null;
    }
    throw failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
  }
}
