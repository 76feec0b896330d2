/**
 * Calls to other servers, which only sources of copies need. Every call is checked against the list
 * of the operator and against the address that its host resolves to (blob-features 5.5).
 */
@NullMarked
package io.lazuli.server.outbound;

import org.jspecify.annotations.NullMarked;
