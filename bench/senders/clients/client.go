// As fetch.mjs, with Go's net/http.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

func main() {
	url, directory := os.Args[1], os.Args[2]
	files, err := os.ReadDir(directory)
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files {
		body, err := os.ReadFile(filepath.Join(directory, file.Name()))
		if err != nil {
			log.Fatal(err)
		}
		start := time.Now()
		answer, err := http.Post(url, "application/x-protobuf", bytes.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		fmt.Println(float64(time.Since(start).Microseconds()) / 1000)
		if answer.StatusCode != http.StatusOK {
			log.Fatalf("%s answers %s", url, answer.Status)
		}
	}
}
