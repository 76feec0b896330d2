/**
 * Cases that replay what well-known programs send, in the order in which they send it, and check
 * what these programs rely on in the answers. The evidence of each case is the public source that
 * shows it. The package is organised by program, because most programs use several services.
 */
@NullMarked
package io.lazuli.conformance.host;

import org.jspecify.annotations.NullMarked;
