/** Imports data of other servers, by the rules of the services. */
@NullMarked
package io.lazuli.server.migration;

import org.jspecify.annotations.NullMarked;
