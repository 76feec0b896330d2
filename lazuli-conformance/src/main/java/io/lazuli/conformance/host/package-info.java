/**
 * Cases that replay the requests of well-known programs in their original order, and check the
 * parts of the answers that these programs rely on. The evidence of each case is the public source
 * that shows the requests. The package is organised by program, because most programs use several
 * services.
 */
@NullMarked
package io.lazuli.conformance.host;

import org.jspecify.annotations.NullMarked;
