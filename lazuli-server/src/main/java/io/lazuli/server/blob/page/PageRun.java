package io.lazuli.server.blob.page;

import io.lazuli.server.blob.model.BlockPlace;

/**
 * Consecutive written pages of an extent, whose bytes are consecutive at one place.
 *
 * @param page the index of the first page in the extent
 * @param pages the number of pages
 * @param write the number of the write that wrote the pages
 * @param placePage the index of the first page's bytes at the place, in pages
 */
public record PageRun(int page, int pages, long write, BlockPlace place, int placePage) {
  int end() {
    return page + pages;
  }

  /** Returns the part of this run between two pages, which must not be empty. */
  PageRun part(int from, int to) {
    return new PageRun(from, to - from, write, place, placePage + from - page);
  }
}
