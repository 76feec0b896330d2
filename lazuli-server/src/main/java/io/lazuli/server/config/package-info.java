/** The configuration of a server: its settings, where they come from, and its fixed limits. */
@NullMarked
package io.lazuli.server.config;

import org.jspecify.annotations.NullMarked;
