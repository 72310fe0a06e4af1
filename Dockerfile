# One static binary and nothing else. `docker run --rm -v "$PWD:/repo:ro" plimsoll`
FROM rust:1.90-alpine AS build
RUN apk add --no-cache gcc musl-dev
WORKDIR /build
COPY . .
RUN cargo build --locked --profile dist && cp target/dist/plimsoll /plimsoll

FROM scratch
COPY --from=build /plimsoll /plimsoll
USER 65534:65534
WORKDIR /repo
ENTRYPOINT ["/plimsoll"]
CMD ["check"]
