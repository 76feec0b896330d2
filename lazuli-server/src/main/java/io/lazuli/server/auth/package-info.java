/** Who is calling, and from where? Proofs that a request comes from whom it names. */
@NullMarked
package io.lazuli.server.auth;

import org.jspecify.annotations.NullMarked;
