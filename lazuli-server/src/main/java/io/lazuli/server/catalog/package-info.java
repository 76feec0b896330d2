/** The names of tables, queues and containers, and their spaces. */
@NullMarked
package io.lazuli.server.catalog;

import org.jspecify.annotations.NullMarked;
