/** Checks that what clients of a whole server see is what a correct server would show. */
package io.lazuli.server.history;
