/** Clients of all services over raw HTTP, for histories of whole servers. */
package io.lazuli.storage.history.http;
