/**
 * Checks of what clients recorded: whether the answers of a correct server can be these. In the
 * test jar, for the engines, the server and the official clients.
 */
package io.lazuli.storage.history;
