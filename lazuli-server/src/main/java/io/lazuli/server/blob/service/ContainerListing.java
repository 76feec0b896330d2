package io.lazuli.server.blob.service;

import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOutcome.ContainerDeletion;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedContainer;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.DeletedName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one page of containers. Two scans fill it: one of the existing containers and, if the
 * client wants them, one of those that can be restored. Each ends at the limits of a page. The page
 * is the common start of both, in the order of {@link ListedContainer#position}. Mutable: used by
 * one request.
 */
final class ContainerListing {
  /** A page ends when the stored properties of its containers have this size. */
  private static final long PAGE_BYTES_MAX = 4 << 20;

  private final ListContainers list;
  private final long now;
  private final Part existing = new Part();
  private final Part deleted = new Part();

  /** The containers that one scan has found. */
  private static final class Part {
    private final List<ListedContainer> found = new ArrayList<>();
    private long bytes;

    /** The position of the first container that did not fit; null if all did. */
    private @Nullable String next;
  }

  ContainerListing(ListContainers list, long now) {
    this.list = list;
    this.now = now;
  }

  /** Returns the position at which the scans begin. */
  String from() {
    return list.prefix().compareTo(list.from()) > 0 ? list.prefix() : list.from();
  }

  /** Adds an existing container. Returns false if the scan can end. */
  boolean add(CatalogRow row) {
    return add(existing, new ListedContainer(row.name(), row.name(), row.metadata(), null));
  }

  /** Adds a container that was deleted. Returns false if the scan can end. */
  boolean addDeleted(DeletedName name) {
    CatalogRow row = name.row();
    ContainerDeletion deletion =
        new ContainerDeletion(name.version(), name.deletedTicks(), name.endTicks());
    return name.endTicks() <= now
        || add(deleted, new ListedContainer(row.name(), name.key(), row.metadata(), deletion));
  }

  private boolean add(Part part, ListedContainer container) {
    String name = container.name();
    if (!name.startsWith(list.prefix())) {
      return name.compareTo(list.prefix()) < 0;
    } else if (new ContainerName(name).isSystem() && !list.system()) {
      return true;
    } else if (part.found.size() == list.max() || part.bytes >= PAGE_BYTES_MAX) {
      part.next = container.position();
      return false;
    }
    part.bytes += container.stored().length;
    return part.found.add(container);
  }

  /**
   * Returns the page.
   *
   * @param immutability true if blobs of the account can have immutability policies
   */
  ContainerPage page(boolean immutability) {
    List<ListedContainer> all = new ArrayList<>(existing.found);
    all.addAll(deleted.found);
    all.sort(Comparator.comparing(ListedContainer::position));
    String next = first(existing.next, deleted.next);
    int size = 0;
    while (size < all.size() && size < list.max() && isBefore(all.get(size), next)) {
      size++;
    }
    return new ContainerPage(
        List.copyOf(all.subList(0, size)),
        size < all.size() ? first(all.get(size).position(), next) : next,
        immutability,
        now);
  }

  private static boolean isBefore(ListedContainer container, @Nullable String position) {
    return position == null || container.position().compareTo(position) < 0;
  }

  private static @Nullable String first(@Nullable String one, @Nullable String other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) < 0 ? one : other;
  }
}
