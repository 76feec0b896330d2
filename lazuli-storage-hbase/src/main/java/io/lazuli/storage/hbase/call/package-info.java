/** Calls to region servers, one attempt at a time: tables, cells, rows, scans and failures. */
@NullMarked
package io.lazuli.storage.hbase.call;

import org.jspecify.annotations.NullMarked;
