/** Names of tables, queues and containers, and the spaces they stand for. */
@NullMarked
package io.lazuli.server.catalog;

import org.jspecify.annotations.NullMarked;
