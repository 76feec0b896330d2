/** The code of {@code docs/migration.md}, with the legacy client and with the client library. */
@NullMarked
package io.lazuli.examples.migration;

import org.jspecify.annotations.NullMarked;
